# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""ppu rtl: devices of shapes of the user's own, in a cache. By CMake as it is called, and by a CMake that only
makes a file; OwnRtl builds one, which takes minutes."""
import os
import stat

from cli import BALL, ROOT, CliTest

#: Of it no RTL is built.
WORDS = ("--config", "my.toml")


class RtlTest(CliTest):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"
        self.environment = {"PPU_RTL_CACHE": str(self.cache), "PPU_SOURCE": str(ROOT)}
        (self.folder / "my.toml").write_text("".join(
            line for line in (ROOT / "hw/configs/small.toml").read_text().splitlines(keepends=True)
            if not line.startswith(("engines", "pipes", "fp_mul_stages", "row_memory_rows"))) +
            "engines = 1\npipes = 1\nvelocity_banks = 16\nfp_mul_stages = 3\nrow_memory_rows = 112\n")

    def script(self, name, text):
        path = self.folder / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path


class RtlCache(RtlTest):
    def test_a_shape_that_was_not_built_says_how_to_build_it(self):
        for backend in ("rtl", "cosim"):
            run = self.ppu("solve", BALL, "--backend", backend, *WORDS, expect=2, environment=self.environment)
            self.assertIn("`ppu rtl build CONFIG` builds", run.stderr)

    def test_cmake_is_called_for_the_shape_and_the_device_is_used(self):
        # Stands for a device process: says that it was started, and is none.
        device = self.script("device", 'echo started > "$DEVICE_LOG"\nexit 5\n')
        cmake = self.script("cmake", f'echo "$@" >> {self.folder}/calls\n'
                            f'[ "$1" = --build ] && mkdir -p "$2/bin" && cp {device} "$2/bin/ppu-device"\nexit 0\n')
        environment = {**self.environment, "PPU_CMAKE": str(cmake), "DEVICE_LOG": str(self.folder / "log")}
        environment.pop("PPU_DEVICE", None)
        out = self.ppu("rtl", "build", "my.toml", environment=environment).stdout
        configure, build = (self.folder / "calls").read_text().splitlines()
        self.assertIn("-DPPU_RTL_CONFIGS=Own", configure)
        self.assertIn(f"-S {ROOT} ", configure)
        self.assertIn("--target ppu-device", build)
        built = list(self.cache.glob("*/ppu-device"))
        self.assertEqual(len(built), 1)
        self.assertIn(f"built: {built[0]}", out)
        shape = (built[0].parent / "shape.txt").read_text()
        for line in ("OwnVelocityBanks = 16;", "OwnFpMulStages = 3;", "OwnEngines = 1;"):
            self.assertIn(line, shape)
        self.assertIn("1 device in", self.ppu("rtl", "list", environment=environment).stdout)
        # Memory is not in the shape.
        for words in (WORDS, (*WORDS, "--set", "dram_bus_bits=32"),
                      ("--config", "small", "--set", "engines=1", "--set", "pipes=1", "--set", "velocity_banks=16",
                       "--set", "fp_mul_stages=3", "--set", "row_memory_rows=112", "--set", "memory_port_beats=2")):
            self.ppu("solve", BALL, "--backend", "rtl", *words, expect=3, environment=environment)
            self.assertTrue((self.folder / "log").exists(), words)
            (self.folder / "log").unlink()
        for words in (("--backend", "systemc", *WORDS), ("--backend", "rtl", "--config", "small")):
            self.ppu("solve", BALL, *words, environment=environment)
            self.assertFalse((self.folder / "log").exists(), words)

    def test_what_is_missing_is_named(self):
        self.refused("rtl", "build", "none.toml", names=("none.toml",))
        run = self.ppu("rtl", "build", "my.toml", expect=3, environment={**self.environment, "PPU_SOURCE": "/none"})
        self.assertIn("there is no RTL in '/none'", run.stderr)
        run = self.ppu("rtl", "build", "my.toml", expect=3, environment={**self.environment, "PPU_CMAKE": "false"})
        self.assertIn("rtl build: failed: false -S", run.stderr)
        self.assertEqual(list(self.cache.glob("*/ppu-device")), [])


class OwnRtl(RtlTest):
    def test_an_own_shape_is_equal_to_the_model_in_every_cycle(self):
        self.ppu("rtl", "build", "my.toml", environment=self.environment)
        os.environ.update(self.environment)
        of_rtl, of_model, of_cosim = (self.json("solve", BALL, "--backend", backend, *WORDS)
                                      for backend in ("rtl", "systemc", "cosim"))
        for key in ("state_hash", "cycles", "stalls"):
            self.assertEqual(of_rtl[key], of_model[key], key)
        of_rtl, of_model = ({name: value for name, value in result["frame"].items() if name.endswith("_cycles")}
                            for result in (of_rtl, of_model))
        self.assertEqual(of_rtl, of_model)
        self.assertGreater(of_rtl["device_cycles"], 0)
        self.assertEqual(of_cosim["lockstep_rows"], of_cosim["row_updates"])
        # Rows of the ball stay on chip; of the others some do, which come behind their runs, and some do not.
        for workload in ("ball", "chained", "early", "early-tangles", "early-programs"):
            self.ppu("study", "parity", "--config", "my.toml", "--workload", workload)
