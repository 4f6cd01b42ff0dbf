// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Files that are not what the schema says: each is a sound file with one thing changed through the
// HDF5 C API, and each must be refused with a sentence that names the file, the place and the row.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cfloat>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>

#include "tests/model/problems.hpp"
#include "tests/support/test_data.hpp"

namespace ppu::model {
namespace {

using testing::path_of;

/// ball_f110: 105 rows, 12 bodies, normals 0-34, friction rows from 35 on.
constexpr hsize_t kRowCount = 105;
constexpr hsize_t kFrictionRow = 40;

std::vector<char> sound_file() {
  std::ifstream stream(path_of("ball_f110"), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Opens a copy of the sound file in memory, lets `change` at it and returns the new image.
std::vector<char> mutated(const std::function<void(hid_t)>& change) {
  std::vector<char> image = sound_file();
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 1 << 16, false);
  H5Pset_file_image(access, image.data(), image.size());
  const hid_t file = H5Fopen("mutated", H5F_ACC_RDWR, access);
  H5Pclose(access);
  EXPECT_GE(file, 0);
  change(file);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  image.resize(static_cast<std::size_t>(H5Fget_file_image(file, nullptr, 0)));
  H5Fget_file_image(file, image.data(), image.size());
  H5Fclose(file);
  return image;
}

template <class T>
hid_t memory_type();
template <>
hid_t memory_type<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
hid_t memory_type<std::int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
hid_t memory_type<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}

/// Sets one element, counted over all dimensions.
template <class T>
void set(hid_t file, const char* path, std::size_t index, T value) {
  const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  H5Dread(dataset, memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  values.at(index) = value;
  EXPECT_GE(H5Dwrite(dataset, memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Sclose(space);
  H5Dclose(dataset);
}

void remove_link(hid_t file, const char* path) {
  EXPECT_GE(H5Ldelete(file, path, H5P_DEFAULT), 0);
}

/// Puts a dataset of zeros in place of another, without storing them.
void replace(hid_t file, const char* path, hid_t type, const std::vector<hsize_t>& shape,
             hid_t creation = H5P_DEFAULT) {
  remove_link(file, path);
  const hid_t space = shape.empty()
                          ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  EXPECT_GE(dataset, 0);
  H5Dclose(dataset);
  H5Sclose(space);
}

void replace_attribute(hid_t file, const char* object, const char* name, hid_t type, hsize_t count,
                       const void* value) {
  H5Adelete_by_name(file, object, name, H5P_DEFAULT);
  const hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr);
  const hid_t attribute =
      H5Acreate_by_name(file, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Awrite(attribute, type, value), 0);
  H5Aclose(attribute);
  H5Sclose(space);
}

void replace_text(hid_t file, const char* object, const char* name, const std::string& value) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, value.size() + 1);
  replace_attribute(file, object, name, type, 1, value.c_str());
  H5Tclose(type);
}

struct Mutation {
  const char* name;
  std::function<void(hid_t)> change;
  std::vector<std::string> said;  ///< Parts of the sentence.
};

std::ostream& operator<<(std::ostream& stream, const Mutation& mutation) {
  return stream << mutation.name;
}

std::vector<Mutation> attribute_mutations() {
  return {
      {"FormatMissing",
       [](hid_t f) { H5Adelete(f, "format"); },
       {"attribute format of /", "found nothing", "expected text"}},
      {"FormatOther",
       [](hid_t f) { replace_text(f, "/", "format", "fclib"); },
       {"attribute format of /", "\"fclib\"", "\"ppu-rows\""}},
      {"FormatANumber",
       [](hid_t f) {
         const std::int32_t one = 1;
         replace_attribute(f, "/", "format", H5T_NATIVE_INT32, 1, &one);
       },
       {"attribute format of /", "found int32", "expected text"}},
      {"VersionMissing",
       [](hid_t f) { H5Adelete(f, "version"); },
       {"attribute version of /", "found nothing"}},
      {"VersionTwo",
       [](hid_t f) {
         const std::int64_t two = 2;
         replace_attribute(f, "/", "version", H5T_NATIVE_INT64, 1, &two);
       },
       {"attribute version of /", "found 2", "expected 1"}},
      {"VersionText",
       [](hid_t f) { replace_text(f, "/", "version", "1"); },
       {"attribute version of /", "found text", "expected an integer"}},
      {"VersionAnArray",
       [](hid_t f) {
         const std::int64_t ones[3] = {1, 1, 1};
         replace_attribute(f, "/", "version", H5T_NATIVE_INT64, 3, ones);
       },
       {"attribute version of /", "several values", "expected an integer"}},
      {"TimeStepNan",
       [](hid_t f) {
         const double nan = NAN;
         replace_attribute(f, "/", "dt", H5T_NATIVE_DOUBLE, 1, &nan);
       },
       {"attribute dt of /", "nan", "finite"}},
      {"ReferenceStartUnknown",
       [](hid_t f) { replace_text(f, "/reference", "start", "lukewarm"); },
       {"attribute start of /reference", "\"lukewarm\"", "\"warm\" or \"cold\""}},
      {"ReferenceRuleUnknown",
       [](hid_t f) { replace_text(f, "/reference", "friction_rule", "none"); },
       {"attribute friction_rule of /reference", "\"none\""}},
      {"ReferenceSweepsNegative",
       [](hid_t f) {
         const std::int64_t minus = -1;
         replace_attribute(f, "/reference", "sweeps", H5T_NATIVE_INT64, 1, &minus);
       },
       {"attribute sweeps of /reference", "found -1"}},
  };
}

hid_t chunked_creation(std::vector<hsize_t> chunk) {
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
  return creation;
}

std::vector<Mutation> structure_mutations() {
  return {
      {"RowsMissing",
       [](hid_t f) { remove_link(f, "rows"); },
       {"/rows", "found nothing", "expected a group"}},
      {"BodiesMissing",
       [](hid_t f) { remove_link(f, "bodies"); },
       {"/bodies", "found nothing", "expected a group"}},
      {"JacobianMissing",
       [](hid_t f) { remove_link(f, "rows/jacobian"); },
       {"/rows/jacobian", "found nothing", "expected a dataset of float32"}},
      {"VelocityMissing",
       [](hid_t f) { remove_link(f, "bodies/velocity_change"); },
       {"/bodies/velocity_change", "found nothing"}},
      {"ReferenceVelocityMissing",
       [](hid_t f) { remove_link(f, "reference/velocity_change"); },
       {"/reference/velocity_change", "found nothing"}},
      {"JacobianAGroup",
       [](hid_t f) {
         remove_link(f, "rows/jacobian");
         H5Gclose(H5Gcreate2(f, "rows/jacobian", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
       },
       {"/rows/jacobian", "another kind of object"}},
      {"RowsADataset",
       [](hid_t f) { replace(f, "rows", H5T_IEEE_F32LE, {3}); },
       {"/rows", "another kind of object", "expected a group"}},
      {"JacobianALinkToAnotherFile",
       [](hid_t f) {
         remove_link(f, "rows/jacobian");
         H5Lcreate_external("/etc/hosts", "/x", f, "rows/jacobian", H5P_DEFAULT, H5P_DEFAULT);
       },
       {"/rows/jacobian", "external link"}},
      {"ParentASymbolicLinkToItself",
       [](hid_t f) {
         remove_link(f, "rows/parent");
         H5Lcreate_soft("/rows/parent", f, "rows/parent", H5P_DEFAULT, H5P_DEFAULT);
       },
       {"/rows/parent", "symbolic"}},
      {"JacobianOfDoubles",
       [](hid_t f) {
         replace(f, "rows/jacobian", H5T_IEEE_F64LE, {kRowCount, 12});
       },
       {"/rows/jacobian", "found float64", "expected float32"}},
      {"BodyOfInt64",
       [](hid_t f) {
         replace(f, "rows/body", H5T_STD_I64LE, {kRowCount, 2});
       },
       {"/rows/body", "found int64", "expected int32"}},
      {"BodyUnsigned",
       [](hid_t f) {
         replace(f, "rows/body", H5T_STD_U32LE, {kRowCount, 2});
       },
       {"/rows/body", "found uint32", "expected int32"}},
      {"KindOfInt32",
       [](hid_t f) { replace(f, "rows/kind", H5T_STD_I32LE, {kRowCount}); },
       {"/rows/kind", "found int32", "expected uint8"}},
      {"ImpulseText",
       [](hid_t f) { replace(f, "rows/impulse", H5T_C_S1, {kRowCount}); },
       {"/rows/impulse", "found text", "expected float32"}},
      {"JacobianTooNarrow",
       [](hid_t f) {
         replace(f, "rows/jacobian", H5T_IEEE_F32LE, {kRowCount, 11});
       },
       {"/rows/jacobian", "shape (105, 11)", "shape (105, 12)"}},
      {"JacobianFlat",
       [](hid_t f) { replace(f, "rows/jacobian", H5T_IEEE_F32LE, {kRowCount * 12}); },
       {"/rows/jacobian", "shape (1260)", "2 dimensions"}},
      {"FrictionTooShort",
       [](hid_t f) { replace(f, "rows/friction", H5T_IEEE_F32LE, {kRowCount - 1}); },
       {"/rows/friction", "shape (104)", "shape (105)"}},
      {"ParentTooLong",
       [](hid_t f) { replace(f, "rows/parent", H5T_STD_I32LE, {kRowCount + 1}); },
       {"/rows/body", "shape (105, 2)", "shape (106, 2)"}},
      {"ParentScalar",
       [](hid_t f) { replace(f, "rows/parent", H5T_STD_I32LE, {}); },
       {"/rows/parent", "1 dimensions"}},
      {"NoRows",
       [](hid_t f) { replace(f, "rows/parent", H5T_STD_I32LE, {0}); },
       {"/rows/parent", "0 rows", "1 to 1048576"}},
      {"TooManyRows",
       [](hid_t f) { replace(f, "rows/parent", H5T_STD_I32LE, {1048577}); },
       {"/rows/parent", "1048577 rows", "1 to 1048576"}},
      {"AbsurdlyManyRows",
       [](hid_t f) {
         const hid_t creation = chunked_creation({1024});
         replace(f, "rows/parent", H5T_STD_I32LE, {hsize_t{1} << 62U}, creation);
         H5Pclose(creation);
       },
       {"/rows/parent", "4611686018427387904 rows"}},
      {"TooManyBodies",
       [](hid_t f) {
         replace(f, "bodies/velocity_change", H5T_IEEE_F32LE, {1048577, 6});
       },
       {"/bodies/velocity_change", "1048577 bodies", "1 to 1048576"}},
      {"VelocityOfFive",
       [](hid_t f) {
         replace(f, "bodies/velocity_change", H5T_IEEE_F32LE, {12, 5});
       },
       {"/bodies/velocity_change", "shape (12, 5)", "shape (12, 6)"}},
      {"InertiaNotThreeByThree",
       [](hid_t f) {
         replace(f, "bodies/inv_inertia", H5T_IEEE_F32LE, {12, 9});
       },
       {"/bodies/inv_inertia", "shape (12, 9)", "3 dimensions"}},
      {"ReferenceOfAnotherSize",
       [](hid_t f) { replace(f, "reference/impulse", H5T_IEEE_F32LE, {7}); },
       {"/reference/impulse", "shape (7)", "shape (105)"}},
      {"ChunksBeyondReason",
       [](hid_t f) {
         const hid_t creation = chunked_creation({hsize_t{1} << 29U});
         const hsize_t now = kRowCount;
         const hsize_t most = H5S_UNLIMITED;
         remove_link(f, "rows/impulse");
         const hid_t space = H5Screate_simple(1, &now, &most);
         H5Dclose(H5Dcreate2(f, "rows/impulse", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation,
                             H5P_DEFAULT));
         H5Sclose(space);
         H5Pclose(creation);
       },
       {"/rows/impulse", "chunks beyond 64 MiB"}},
      {"DataInAnotherFile",
       [](hid_t f) {
         const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
         H5Pset_external(creation, "/dev/zero", 0, 4 * kRowCount);
         replace(f, "rows/impulse", H5T_IEEE_F32LE, {kRowCount}, creation);
         H5Pclose(creation);
       },
       {"/rows/impulse", "external storage"}},
      {"FilterUnusual",
       [](hid_t f) {
         const hid_t creation = chunked_creation({kRowCount});
         H5Pset_nbit(creation);
         replace(f, "rows/impulse", H5T_IEEE_F32LE, {kRowCount}, creation);
         H5Pclose(creation);
       },
       {"/rows/impulse", "filter 5", "deflate"}},
  };
}

std::vector<Mutation> value_mutations() {
  constexpr std::size_t kRow = kFrictionRow;
  return {
      {"BodyBeyondTheLast",
       [](hid_t f) { set<std::int32_t>(f, "rows/body", 2 * 7, 12); },
       {"/rows/body row 7", "body 12", "-1 to 11"}},
      {"BodyBelowTheWorld",
       [](hid_t f) { set<std::int32_t>(f, "rows/body", 2 * 7 + 1, -2); },
       {"/rows/body row 7", "body -2"}},
      {"BodyHuge",
       [](hid_t f) { set<std::int32_t>(f, "rows/body", 0, INT32_MAX); },
       {"/rows/body row 0", "body 2147483647"}},
      {"BodyTwice",
       [](hid_t f) {
         set<std::int32_t>(f, "rows/body", 2 * 9, 3);
         set<std::int32_t>(f, "rows/body", 2 * 9 + 1, 3);
       },
       {"/rows/body row 9", "body 3 twice", "two different bodies"}},
      {"StaticBodyWithJacobian",
       [](hid_t f) {
         set<std::int32_t>(f, "rows/body", 2 * 9, -1);
         set<float>(f, "rows/jacobian", 12 * 9 + 2, 0.5F);
       },
       {"/rows/jacobian row 9", "expected 0 for a static body"}},
      {"StaticBodyWithMass",
       [](hid_t f) {
         set<std::int32_t>(f, "rows/body", 2 * 9, -1);
         for (std::size_t k = 0; k < 6; ++k) set<float>(f, "rows/jacobian", 12 * 9 + k, 0.0F);
         set<float>(f, "rows/inv_mass_jacobian", 12 * 9 + 4, 0.5F);
       },
       {"/rows/inv_mass_jacobian row 9", "expected 0 for a static body"}},
      {"KindUnknown",
       [](hid_t f) { set<std::uint8_t>(f, "rows/kind", 4, 3); },
       {"/rows/kind row 4", "found 3"}},
      {"ParentItself",
       [](hid_t f) { set<std::int32_t>(f, "rows/parent", kRow, static_cast<int>(kRow)); },
       {"/rows/parent row 40", "row 40", "an earlier row"}},
      {"ParentLater",
       [](hid_t f) { set<std::int32_t>(f, "rows/parent", kRow, 41); },
       {"/rows/parent row 40", "row 41", "an earlier row"}},
      {"ParentBeyondTheLast",
       [](hid_t f) { set<std::int32_t>(f, "rows/parent", kRow, 105); },
       {"/rows/parent row 40", "row 105"}},
      {"ParentBelowNone",
       [](hid_t f) { set<std::int32_t>(f, "rows/parent", kRow, -7); },
       {"/rows/parent row 40", "row -7"}},
      {"ParentAFrictionRow",
       [](hid_t f) { set<std::int32_t>(f, "rows/parent", kRow, 39); },
       {"/rows/parent row 40", "a friction row"}},
      {"ParentWithAParent",
       [](hid_t f) {
         set<std::int32_t>(f, "rows/parent", 5, 4);
         set<std::int32_t>(f, "rows/parent", kRow, 5);
       },
       {"/rows/parent row 40", "which has a parent itself"}},
      {"JacobianNan",
       [](hid_t f) { set<float>(f, "rows/jacobian", 12 * 11 + 3, NAN); },
       {"/rows/jacobian row 11", "nan", "column 3", "finite"}},
      {"MassJacobianInfinite",
       [](hid_t f) { set<float>(f, "rows/inv_mass_jacobian", 12 * 11, INFINITY); },
       {"/rows/inv_mass_jacobian row 11", "inf", "finite"}},
      {"BiasNan",
       [](hid_t f) { set<float>(f, "rows/rate_bias", 2, NAN); },
       {"/rows/rate_bias row 2", "nan"}},
      {"DiagonalInfinite",
       [](hid_t f) { set<float>(f, "rows/inv_diagonal", 2, INFINITY); },
       {"/rows/inv_diagonal row 2", "inf"}},
      {"DiagonalNegative",
       [](hid_t f) { set<float>(f, "rows/inv_diagonal", 2, -0.5F); },
       {"/rows/inv_diagonal row 2", "-0.5", ">= 0"}},
      {"ImpulseNan",
       [](hid_t f) { set<float>(f, "rows/impulse", 104, NAN); },
       {"/rows/impulse row 104", "nan"}},
      {"LowerNan",
       [](hid_t f) { set<float>(f, "rows/lower", 6, NAN); },
       {"/rows/lower row 6", "nan"}},
      {"UpperNanOfAFrictionRow",
       [](hid_t f) { set<float>(f, "rows/upper", kRow, NAN); },
       {"/rows/upper row 40", "nan"}},
      {"LowerInfinite",
       [](hid_t f) { set<float>(f, "rows/lower", 6, INFINITY); },
       {"/rows/lower row 6", "inf"}},
      {"UpperMinusInfinite",
       [](hid_t f) { set<float>(f, "rows/upper", 6, -INFINITY); },
       {"/rows/upper row 6", "-inf"}},
      {"LowerAboveUpper",
       [](hid_t f) {
         set<float>(f, "rows/lower", 6, 2.0F);
         set<float>(f, "rows/upper", 6, 1.0F);
       },
       {"/rows/lower row 6", "found 2", "at most /rows/upper, 1"}},
      {"FrictionNegative",
       [](hid_t f) { set<float>(f, "rows/friction", kRow, -0.1F); },
       {"/rows/friction row 40", "-0.1", ">= 0"}},
      {"ComplianceNegative",
       [](hid_t f) { set<float>(f, "rows/compliance", 1, -1.0F); },
       {"/rows/compliance row 1", "found -1", ">= 0"}},
      {"VelocityNan",
       [](hid_t f) { set<float>(f, "bodies/velocity_change", 6 * 5 + 1, NAN); },
       {"/bodies/velocity_change row 5", "nan", "column 1"}},
      {"ReferenceImpulseNan",
       [](hid_t f) { set<float>(f, "reference/impulse", 8, NAN); },
       {"/reference/impulse row 8", "nan"}},
  };
}

class HostileFile : public ::testing::TestWithParam<Mutation> {};

TEST_P(HostileFile, IsRefusedInOneSentence) {
  const std::vector<char> image = mutated(GetParam().change);
  try {
    read_row_problem(image.data(), image.size(), "hostile.h5");
    FAIL() << "accepted";
  } catch (const RowProblemError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("hostile.h5: "), 0U) << text;
    EXPECT_NE(text.find(": found "), std::string::npos) << text;
    EXPECT_NE(text.find(", expected "), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    for (const std::string& part : GetParam().said) {
      EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' not in: " << text;
    }
  }
}

std::string name_of(const ::testing::TestParamInfo<Mutation>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Attributes, HostileFile, ::testing::ValuesIn(attribute_mutations()),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Structure, HostileFile, ::testing::ValuesIn(structure_mutations()),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Values, HostileFile, ::testing::ValuesIn(value_mutations()), name_of);

TEST(MutatedFile, IsAcceptedWhenNothingChanged) {
  const std::vector<char> image = mutated([](hid_t) {});
  EXPECT_EQ(read_row_problem(image.data(), image.size(), "sound.h5").rows(), kRowCount);
}

TEST(MutatedFile, MayHoldBigEndianNumbers) {
  const std::vector<char> image = mutated([](hid_t f) {
    replace(f, "rows/impulse", H5T_IEEE_F32BE, {kRowCount});
    set<float>(f, "rows/impulse", 3, 0.75F);
  });
  EXPECT_EQ(read_row_problem(image.data(), image.size(), "big.h5").impulse[3], 0.75F);
}

void expect_refused(const std::string& path, const std::string& said) {
  try {
    read_row_problem(path);
    FAIL() << "accepted " << path;
  } catch (const RowProblemError& error) {
    EXPECT_EQ(std::string(error.what()).find(path + ": the file: found " + said), 0U)
        << error.what();
  }
}

TEST(AbsentFile, IsRefused) {
  expect_refused("/no/such/file.h5", "nothing");
}
TEST(Directory, IsRefused) {
  expect_refused(tests::test_data("."), "a directory or a device");
}
TEST(Device, IsRefused) {
  expect_refused("/dev/zero", "a directory or a device");
}
TEST(TextFile, IsRefused) {
  expect_refused(tests::test_data("README.md"), "no readable HDF5 data");
}

TEST(RefusedFile, LeavesStandardErrorAlone) {
  ::testing::internal::CaptureStderr();
  const std::vector<char> image = mutated([](hid_t f) { remove_link(f, "rows/jacobian"); });
  EXPECT_THROW(read_row_problem(image.data(), image.size(), "hostile.h5"), RowProblemError);
  EXPECT_THROW(read_row_problem(image.data(), 100, "short.h5"), RowProblemError);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace ppu::model
