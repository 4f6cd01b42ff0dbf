# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The rooms of the tree, as docs/inside/house.md draws them, are those of CMake and of the includes.

usage: house_test.py [--update]      --update: draws them again
"""
import sys
import unittest

import house
import house_drawing
import source_tree as tree


class House(unittest.TestCase):
    maxDiff = None

    def test_a_file_includes_only_what_its_room_may_use(self):
        forbidden = [f"{file}, which {room.name} may not use"
                     for room in house.rooms().values()
                     for other, file in house.included_anywhere(room.name).items()
                     if other not in room.may_use and other != room.name]
        self.assertFalse(forbidden, "\n".join(forbidden))

    def test_a_room_may_use_only_what_it_includes(self):
        unused = [f"{room.name} does not include anything of {other}"
                  for room in house.rooms().values()
                  for other in sorted(room.may_use - set(house.included_anywhere(room.name)))]
        self.assertFalse(unused, "\n".join(unused))

    def test_headers_need_no_room_that_is_for_sources_alone(self):
        forbidden = [f"{file}, which {room.name} may use in its sources alone"
                     for room in house.rooms().values()
                     for other, file in house.included(room.name)[0].items() if other not in room.uses]
        self.assertFalse(forbidden, "\n".join(forbidden))
        self.assertFalse([room.name for room in house.rooms().values() if set(room.uses) & set(room.inside)])

    def test_a_room_hands_on_only_what_its_headers_need(self):
        handed_on = [f"{room.name} uses {other} in its sources alone: PRIVATE {other}"
                     for room in house.rooms().values()
                     for other in sorted(set(room.uses) - {house.LIBRARY_ROOM} - set(house.included(room.name)[0]))]
        self.assertFalse(handed_on, "\n".join(handed_on))

    def test_no_two_rooms_use_each_other(self):
        arrows = {name: room.may_use for name, room in house.rooms().items()}
        for name in arrows:
            self.assertNotIn(name, house.reachable(arrows, name))

    def test_both_ends_of_a_socket_know_its_protocol(self):
        for ends in house.MESSAGES.items():
            for end in ends:
                self.assertTrue(any(house.PROTOCOL in path.read_text() for path in (tree.ROOT / end).iterdir()), end)

    def test_every_folder_of_code_is_a_room(self):
        rooms = house.rooms()
        folders = {tree.name(path.parent) for path in tree.sources()
                   if path.suffix in {".cpp", ".hpp"} and path.relative_to(tree.ROOT).parts[0] in house.AREAS}
        self.assertEqual(sorted(folders - set(rooms) - set(house.NO_ROOMS)), [])

    def test_rtl_stands_on_the_rooms_before_its_own(self):
        forbidden = [f"{tree.name(path)} uses {name} of rtl/{room}" for path, name, room in house.rtl_used()
                     if house.RTL.index(room) > house.RTL.index(path.parent.name)]
        self.assertFalse(forbidden, "\n".join(forbidden))

    def test_the_page_draws_them(self):
        for path, text in house_drawing.files().items():
            self.assertEqual((tree.ROOT / path).read_text(), text, f"{path}: {__file__} --update")


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        for path, text in house_drawing.files().items():
            (tree.ROOT / path).write_text(text)
    else:
        unittest.main()
