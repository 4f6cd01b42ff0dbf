# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
# Run with cmake -DFOLDER=<folder> -DMODEL=<class> -DHEADER=<file> -P: writes a header with visit_memories(), which visits
# the memories with check bits of the Verilated engine in the folder. They are members of the root class, and of the
# classes of the modules that it points to; no other class has any. An engine without check bits has none.
file(STRINGS ${FOLDER}/${MODEL}___024root.h modules REGEX "^ +${MODEL}_[A-Za-z0-9_]+\\* __PVT__")
set(includes "#include \"${MODEL}___024root.h\"\n")
set(visits)

# visit_class(CLASS OBJECT PATH): the memories that a class declares, in this object of it.
function(visit_class class object path)
  file(STRINGS ${FOLDER}/${class}.h members REGEX "VlUnpacked<.*gen_safe__DOT__u_ram__DOT__gen_part__.*__DOT__words_q;$")
  foreach(member IN LISTS members)
    string(REGEX MATCH "/\\*([0-9]+):0\\*/, [0-9]+> (.*__DOT__u_ram__DOT__gen_part__BRA__([0-9]+)__KET____DOT__words_q);" all "${member}")
    math(EXPR bits "${CMAKE_MATCH_1} + 1")
    set(array ${CMAKE_MATCH_2})
    set(part ${CMAKE_MATCH_3})
    # As the RTL names the memory: without what is in it.
    string(REGEX REPLACE "__PVT__|ppu_engine__DOT__" "" name ${path}${array})
    string(REGEX REPLACE "__DOT__gen_safe__DOT__.*" "" name ${name})
    string(REGEX REPLACE "__BRA__([0-9]+)__KET__" "[\\1]" name ${name})
    string(REPLACE "__DOT__" "." name ${name})
    string(APPEND visits "  visit(\"${name}\", ${part}U, ${bits}U, ${object}${array});\n")
  endforeach()
  set(visits "${visits}" PARENT_SCOPE)
endfunction()

visit_class(${MODEL}___024root "root." "")
foreach(module IN LISTS modules)
  string(REGEX MATCH "(${MODEL}_[A-Za-z0-9_]+)\\* (__PVT__[A-Za-z0-9_]+);" all "${module}")
  string(FIND "${includes}" "\"${CMAKE_MATCH_1}.h\"" known)
  if(known EQUAL -1)
    string(APPEND includes "#include \"${CMAKE_MATCH_1}.h\"\n")
  endif()
  visit_class(${CMAKE_MATCH_1} "root.${CMAKE_MATCH_2}->" ${CMAKE_MATCH_2}__DOT__)
endforeach()

file(WRITE ${HEADER} "#pragma once
${includes}
/// Calls visit(name, number of the part of its words, bits of the part, the words) for each part.
template <class Visit>
void visit_memories([[maybe_unused]] ${MODEL}___024root& root, [[maybe_unused]] const Visit& visit) {
${visits}}
")
