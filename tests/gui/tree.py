# SPDX-License-Identifier: GPL-3.0-or-later
"""The program's accessible widgets, asked of the bus all at once.

Atspi's own calls ask for one property of one widget each: for a window's some seven hundred widgets that takes as long as drawing
them fifty times. GetItems of org.a11y.atspi.Cache tells of all, but only of those that somebody has asked for before: where a widget
has more children than are known, they are asked for one by one.
"""
import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402


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
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0, -1, None).unpack()[0]
        self.bus = Gio.DBusConnection.new_for_address_sync(
            address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)

    def call(self, path, method, arguments=None):
        interface, name = method.rsplit(".", 1)
        return self.bus.call_sync(self.application.app.bus_name, path, interface, name, arguments, None, 0, 20000, None).unpack()

    def count(self, path):
        arguments = GLib.Variant("(ss)", ("org.a11y.atspi.Accessible", "ChildCount"))
        return self.call(path, "org.freedesktop.DBus.Properties.Get", arguments)[0]

    def ask(self, path, known):
        """For its children, and for those of the ones that aren't known."""
        try:
            for i in range(self.count(path)):
                child = self.call(path, "org.a11y.atspi.Accessible.GetChildAtIndex", GLib.Variant("(i)", (i,)))[0][1]
                if child not in known:
                    known.add(child)
                    self.ask(child, known)
        except GLib.Error:  # gone meanwhile
            pass

    def items(self):
        """Each node, before its children, and the paths of those that have others."""
        items = self.call("/org/a11y/atspi/cache", "org.a11y.atspi.Cache.GetItems")[0]
        root, below, nodes, more = self.application.path, {}, [], []
        for item in items:
            below.setdefault(item[2][1], []).append(item)

        def visit(item, parent):
            (_, path), _, _, _, count, _, name, role, description, states = item
            node = Node(path, parent, role, name, description, states)
            nodes.append(node)
            inside = below.get(path, ())
            if len(inside) != (self.count(path) if path == root else count):
                more.append(path)
            for child in sorted(inside, key=lambda child: child[3]):
                visit(child, node)
        for item in items:
            if item[0][1] == root:
                visit(item, None)
        return nodes, more, {item[0][1] for item in items}

    def nodes(self):
        """All there are now."""
        nodes, more, known = self.items()
        for _ in range(3):
            if not more:
                break
            for path in more:
                self.ask(path, known)
            before = more
            nodes, more, known = self.items()
            if more == before:
                break
        return nodes

    def accessible(self, node):
        """What Atspi can press and read further of; None if it's gone."""
        if node.path not in self.accessibles:
            parent = self.accessible(node.parent)
            for i in range(parent.get_child_count() if parent is not None else 0):
                child = parent.get_child_at_index(i)
                if child is not None:
                    self.accessibles[child.path] = child
        return self.accessibles.get(node.path)
