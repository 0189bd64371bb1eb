"""What the passes need to know about a function; knows nothing of graphs.

`build` turns a function into a control-flow graph whose points hold the accesses to names in the
order in which Python makes them. Everything else reads that graph: `scopes` (what a statement
reads, modifies, binds), `liveness` (what is still needed) and `reaching_definitions` (what may have
no value yet). Results are side tables keyed by node; nothing is written on the tree.
"""
