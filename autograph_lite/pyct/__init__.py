"""Python source and its tree: found, parsed, unparsed. It knows nothing of graphs."""
