"""Objects that are refused where they lead to each other, or are replaced: what to write works."""
from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from following import check_advice

UP, DOWN = np.float64(1.0), np.float64(-1.0)


class Node:
    def __init__(self, value, following=None):
        self.value = value
        self.following = following


@dataclasses.dataclass
class Numbered:
    value: float
    following: int


def linked(*values):
    first = None
    for value in reversed(values):
        first = Node(value, first)
    return first


def numbered(*values):
    return [
        Numbered(value, i + 1 if i + 1 < len(values) else -1) for i, value in enumerate(values)]


def found(node, x):
    while node is not None and node.value < x:
        node = node.following
    return node


def found_by_number(nodes, i, x):
    while i >= 0 and nodes[i].value < x:
        i = nodes[i].following
    return i


def deleted(first, x):
    node, before = first, None
    while node is not None:
        if node.value == x:
            if before is None:
                first = node.following
            else:
                before.following = node.following
            break
        before, node = node, node.following
    return first


def deleted_by_number(nodes, first, x):
    i, before = first, -1
    while i >= 0:
        if nodes[i].value == x:
            if before < 0:
                first = nodes[i].following
            else:
                nodes[before].following = nodes[i].following
            break
        before, i = i, nodes[i].following
    return first


def inserted(first, x):
    node = first
    while node.following is not None and node.following.value < x:
        node = node.following
    node.following = Node(x, node.following)
    return first


def inserted_by_number(nodes, first, x):
    i = first
    while nodes[i].following >= 0 and nodes[nodes[i].following].value < x:
        i = nodes[i].following
    nodes.append(Numbered(x, nodes[i].following))
    nodes[i].following = len(nodes) - 1
    return first


def turned(first, x):
    if x > 0:
        before = None
        while first is not None:
            first.following, before, first = before, first, first.following
        first = before
    return first


def turned_by_number(nodes, first, x):
    if x > 0:
        before = -1
        while first >= 0:
            nodes[first].following, before, first = before, first, nodes[first].following
        first = before
    return first


def pushed(first, x):
    if x > 0:
        first = Node(x, first)
    return first


def pushed_by_number(nodes, first, x):
    if x > 0:
        nodes.append(Numbered(x, first))
        first = len(nodes) - 1
    return first


@pytest.mark.parametrize(('refused', 'followed'), [
    (found, found_by_number), (deleted, deleted_by_number), (inserted, inserted_by_number),
    (turned, turned_by_number), (pushed, pushed_by_number)], ids=lambda f: f.__name__)
def test_objects_that_lead_to_each_other_are_numbered(refused, followed):
    xs = [np.float64(x) for x in (2, 3, 9, -1, 1)]
    check_advice(
        refused, followed, '`i = nodes[i].following`, `nodes[i].following = j`',
        [(linked(1.0, 2.0, 3.0, 4.0), x) for x in xs],
        [(numbered(1.0, 2.0, 3.0, 4.0), 0, x) for x in xs])


@dataclasses.dataclass
class Link:
    value: float
    following: Link | None = None


def test_dataclasses_that_lead_to_each_other_are_numbered():
    chain = Link(1.0, Link(2.0, Link(3.0)))
    check_advice(
        found, found_by_number, '`i = nodes[i].following`', [(chain, UP)],
        [(numbered(1.0, 2.0, 3.0), 0, np.float64(x)) for x in (2, 9)])


class Player:
    def __init__(self):
        self.health = 10.0


@dataclasses.dataclass
class Fields:
    health: float = 10.0


class Game:
    def __init__(self, player):
        self.player = player
        self.deaths = 0


def replaced(game, hits):
    for hit in hits:
        game.player.health -= hit
        if game.player.health <= 0:
            game.player = Player()
            game.deaths += 1


def replaced_fields(game, hits):
    for hit in hits:
        game.player.health -= hit
        if game.player.health <= 0:
            game.player = Fields()
            game.deaths += 1


def set_anew(game, hits):
    for hit in hits:
        game.player.health -= hit
        if game.player.health <= 0:
            game.player.health = 10.0
            game.deaths += 1


@pytest.mark.parametrize(('refused', 'player', 'advice'), [
    (replaced, Player(), 'where a new Player takes its place, set the attributes of the one'),
    (replaced_fields, Fields(), 'set the attributes of the one that there is, `Game.player.health'),
])
def test_an_object_that_another_one_replaces_in_a_loop_is_set_anew(refused, player, advice):
    hits = np.array([3.0, 4.0, 5.0, 1.0, 12.0, 2.0])
    check_advice(refused, set_anew, advice, [(Game(player), hits), (Game(player), hits * 0)])


def changed_on_each_way(points, k, x):
    if x > 0:
        points[k].health = 1.0
        point = points[k]
    else:
        point = Player()
        point.health = 1.0
    return point.health


def chosen_in_a_branch(points, k, x):
    if x > 0:
        point = points[k]
    else:
        point = Player()
    point.health = 1.0
    return point.health


def test_an_object_that_may_have_another_name_is_changed_before():
    check_advice(
        chosen_in_a_branch, changed_on_each_way, '`p.health = ...`, then `best = p`',
        [([Player(), Player()], np.int64(1), x) for x in (UP, DOWN)])


def taken_out(points, x):
    for i in range(len(points)):
        if points[i].health > x:
            points.pop(i)
            break


def test_a_list_of_objects_that_shrinks_has_dataclasses():
    check_advice(
        taken_out, taken_out, 'or dataclasses',
        [([Player(), Player()], UP)], [([Fields(), Fields()], x) for x in (UP, UP * 20)])


class Branch:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right


@dataclasses.dataclass
class NumberedBranch:
    value: float
    left: int = -1
    right: int = -1


def put_into_a_tree(root, x):
    branch = root
    while True:
        if x < branch.value:
            if branch.left is None:
                branch.left = Branch(x)
                break
            branch = branch.left
        else:
            if branch.right is None:
                branch.right = Branch(x)
                break
            branch = branch.right


def put_into_a_tree_by_number(branches, x):
    i = 0
    while True:
        if x < branches[i].value:
            if branches[i].left < 0:
                branches[i].left = len(branches)
                break
            i = branches[i].left
        else:
            if branches[i].right < 0:
                branches[i].right = len(branches)
                break
            i = branches[i].right
    branches.append(NumberedBranch(x))


def test_branches_of_a_tree_are_numbered():
    tree = Branch(3.0, Branch(1.0), Branch(5.0, Branch(4.0)))
    branches = [
        NumberedBranch(3.0, 1, 2), NumberedBranch(1.0), NumberedBranch(5.0, 3),
        NumberedBranch(4.0)]
    check_advice(
        put_into_a_tree, put_into_a_tree_by_number, '`nodes[i].left = j`', [(tree, UP)],
        [(branches, np.float64(x)) for x in (-1, 2, 4.5, 9)])
