# SPDX-License-Identifier: GPL-3.0-or-later
"""The program's accessible widgets, asked of the bus all at once.

Atspi's own calls ask for one property of one widget each, 0.7 s for the 735 widgets of a window. GetItems of org.a11y.atspi.Cache tells
of all in one message, but only of those that somebody has asked for before, and of a stack's former pages, too. So a widget's children
are asked for where they aren't known or may be such pages, without waiting for one answer before the next question: 0.05 s.
"""
import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402


def children(accessible):
    try:
        found = [accessible.get_child_at_index(i) for i in range(accessible.get_child_count())]
    except GLib.Error:  # gone meanwhile
        return []
    return [child for child in found if child is not None]


def walk(accessible):
    """The accessible and all below it, each before its children."""
    yield accessible
    for child in children(accessible):
        yield from walk(child)


def has_state(accessible, state):
    try:
        return accessible.get_state_set().contains(state)
    except GLib.Error:
        return False


def actions(accessible):
    if accessible.get_action_iface() is None:
        return []
    return [Atspi.Action.get_action_name(accessible, i) for i in range(Atspi.Action.get_n_actions(accessible))]


def role_of(accessible):
    return role_name(accessible.get_role())


class Node:
    """A widget as it was when it was asked for."""

    def __init__(self, path, parent, role, name, description, states):
        self.path, self.parent, self.name, self.description = path, parent, name, description
        self.role = role_name(role)
        self.states = states[0] | states[1] << 32
        self.depth = 0 if parent is None else parent.depth + 1

    def has(self, state):
        return bool(self.states >> int(state) & 1)

    def where(self):
        """For people: "frame 'Lockstep' / panel '' / button 'Play'"."""
        own = f"{self.role} {self.name!r}"
        return own if self.parent is None or self.parent.parent is None else f"{self.parent.where()} / {own}"


def role_name(role):
    """at-spi2 2.54 renamed the commonest."""
    name = Atspi.role_get_name(Atspi.Role(role))
    return "push button" if name == "button" else name


class Tree:
    """Of the application that this Atspi.Accessible is."""

    def __init__(self, application):
        self.application, self.accessibles = application, {application.path: application}
        self.known = {}  # items by their bytes
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0, -1, None).unpack()[0]
        self.bus = Gio.DBusConnection.new_for_address_sync(
            address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)

    def items(self):
        """What the bus has of each widget that has been asked for, by its path. Most are as they were at the last look, and unpacking is slow."""
        answer = self.bus.call_sync(self.application.app.bus_name, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems", None,
                                    None, 0, 20000, None).get_child_value(0)
        before, self.known = self.known, {}
        for i in range(answer.n_children()):
            packed = answer.get_child_value(i)
            data = packed.get_data_as_bytes().get_data()
            self.known[data] = before.get(data) or packed.unpack()
        return {item[0][1]: item for item in self.known.values()}

    def ask(self, counts):
        """The children's paths by their parent's, of parents with so many: asked for all together."""
        found, left, context = {}, [0], GLib.MainContext()

        def take(bus, result, place):
            left[0] -= 1
            try:
                found[place] = bus.call_finish(result).unpack()[0][1]
            except GLib.Error:  # gone meanwhile
                pass
        context.push_thread_default()
        for path, count in counts.items():
            for i in range(count):
                left[0] += 1
                self.bus.call(self.application.app.bus_name, path, "org.a11y.atspi.Accessible", "GetChildAtIndex",
                              GLib.Variant("(i)", (i,)), None, 0, 20000, None, take, (path, i))
        while left[0] > 0:
            context.iteration(True)
        context.pop_thread_default()
        return {path: [found[path, i] for i in range(count) if (path, i) in found] for path, count in counts.items()}

    def nodes(self):
        """All there are now, each before what is in it."""
        root, told = self.application.path, {}
        for _ in range(40):  # as deep as widgets are in each other, at most
            items = self.items()
            inside = {}
            for path, item in items.items():
                inside.setdefault(item[2][1], []).append(path)
            for path in inside:
                inside[path].sort(key=lambda child: items[child][3])
            doubtful = {path: item[4] for path, item in items.items() if path not in told and path != root
                        and (item[4] == 1 or [items[child][3] for child in inside.get(path, ())] != list(range(item[4])))}
            told |= self.ask(doubtful)
            inside |= told
            if not doubtful or all(child in items for inner in told.values() for child in inner):
                break
        nodes = []

        def visit(path, parent):
            _, _, _, _, _, _, name, role, description, states = items[path]
            nodes.append(Node(path, parent, role, name, description, states))
            own = nodes[-1]
            for child in inside.get(path, ()):
                if child in items:
                    visit(child, own)
        visit(root, None)
        return nodes

    def accessible(self, node):
        """What Atspi can press and read further of; None if it's gone."""
        if node.path not in self.accessibles and (parent := self.accessible(node.parent)) is not None:
            self.accessibles |= {child.path: child for child in children(parent)}
        return self.accessibles.get(node.path)
