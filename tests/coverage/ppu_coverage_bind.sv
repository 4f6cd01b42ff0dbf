// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// At the end of a simulation that counts coverage, its counts are added to those of the same model in
// this process, and written into the folder that PPU_COVERAGE names, in a file of the model's name.

module ppu_coverage;

  final
    $c("{ constexpr std::size_t points = sizeof vlSymsp->__Vcoverage / sizeof vlSymsp->__Vcoverage[0];",
       "static std::vector<unsigned long long> sums(points);",
       "for (std::size_t i = 0; i < points; ++i) sums[i] += vlSymsp->__Vcoverage[i];",
       "const char* folder = std::getenv(\"PPU_COVERAGE\");",
       "const std::string path = std::string(folder ? folder : \".\") + \"/\" + typeid(*vlSymsp).name() + \".\" +",
       "std::to_string(getpid()) + \".counts\";",
       "if (std::FILE* file = folder ? std::fopen(path.c_str(), \"wb\") : nullptr) {",
       "std::fwrite(sums.data(), sizeof sums[0], points, file); std::fclose(file); } }");

endmodule

bind ppu_engine ppu_coverage u_coverage ();
bind ppu_row_pipe ppu_coverage u_coverage ();
bind ppu_fp_add ppu_coverage u_coverage ();
bind ppu_fp_mul ppu_coverage u_coverage ();
bind ppu_fp_div ppu_coverage u_coverage ();
