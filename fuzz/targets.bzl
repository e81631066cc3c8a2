"""The one registry of fuzz targets: name -> what fuzz/targets/NAME.cc is made of."""

load(":defs.bzl", "fuzz_target")

PROBLEM = [
    "//allocator/model",
    "//allocator/placement:problem",
    "//fuzz/inputs:byte_reader",
    "//fuzz/inputs:problem_input",
]

# Target -> what it is made of.
TARGETS = {
    "csv_fuzzer": dict(
        deps = [
            "//allocator/base",
            "//allocator/formats",
            "//allocator/model",
            "@com_google_absl//absl/status:statusor",
        ],
        dictionary = "dict/csv.dict",
        options = "dict/ascii.options",
    ),
    "gen_fuzzer": dict(
        deps = [
            "//allocator/base",
            "//allocator/formats",
            "//allocator/gen",
            "//allocator/liveness",
            "//allocator/model",
            "//allocator/pipeline:plan_instance",
            "//allocator/placement:problem",
            "//fuzz/inputs:byte_reader",
            "@com_google_absl//absl/status",
            "@com_google_absl//absl/status:statusor",
        ],
    ),
    "import_fuzzer": dict(
        deps = [
            "//allocator/formats",
            "//allocator/model",
            "//tools/import:detect",
            "//tools/import:imported",
            "//tools/import:text",
            "@com_google_absl//absl/status",
            "@com_google_absl//absl/status:statusor",
        ],
        dictionary = "dict/import.dict",
        options = "dict/ascii.options",
    ),
    "oracle_fuzzer": dict(
        smoke_runs = 800,
        deps = [
            "//allocator/interference",
            "//allocator/model",
            "//fuzz/inputs:byte_reader",
            "@com_google_absl//absl/types:span",
        ],
    ),
    "order_fuzzer": dict(
        deps = PROBLEM + ["//allocator/placement:order"],
    ),
    "plan_fuzzer": dict(
        smoke_runs = 800,
        deps = PROBLEM + [
            "//allocator/base",
            "//allocator/pipeline:plan_instance",
            "//allocator/pipeline:state",
            "//allocator/placement:lower_bound",
            "//allocator/placement:planners",
            "//allocator/validate",
            "//tests/placement:placement_check",
            "@com_google_absl//absl/status:statusor",
        ],
    ),
    "program_fuzzer": dict(
        smoke_runs = 400,
        deps = [
            "//allocator/base",
            "//allocator/dependence",
            "//allocator/formats",
            "//allocator/liveness",
            "//allocator/model",
            "//allocator/pipeline:events",
            "//allocator/pipeline:plan_program",
            "//allocator/pipeline:state",
            "//allocator/simulate",
            "//allocator/validate",
            "//fuzz/inputs:peel_loops",
            "//fuzz/inputs:program_input",
            "@com_google_absl//absl/status",
            "@com_google_absl//absl/status:statusor",
        ],
        options = "dict/program.options",
    ),
    "program_text_fuzzer": dict(
        deps = [
            "//allocator/base",
            "//allocator/formats",
            "//allocator/model",
            "//fuzz/inputs:program_mutator",
            "@com_google_absl//absl/status:statusor",
        ],
        dictionary = "dict/program_text.dict",
    ),
    "search_fuzzer": dict(
        deps = PROBLEM + [
            "//allocator/placement:first_fit",
            "//allocator/placement:plain_first_fit",
            "//allocator/placement:timed_scan",
            "//allocator/placement:window_first_fit",
            "//tests/placement:timed_table",
            "@com_google_absl//absl/types:span",
        ],
    ),
    "sync_fuzzer": dict(
        smoke_runs = 800,
        deps = [
            "//allocator/base",
            "//allocator/model",
            "//allocator/pipeline:plan_program",
            "//allocator/pipeline:state",
            "//allocator/validate",
            "//fuzz/inputs:byte_reader",
            "//fuzz/inputs:program_input",
            "//fuzz/inputs:program_mutator",
            "@com_google_absl//absl/status",
        ],
        options = "dict/program.options",
    ),
    "validate_fuzzer": dict(
        smoke_runs = 800,
        deps = [
            "//allocator/base",
            "//allocator/dependence",
            "//allocator/model",
            "//allocator/pipeline:plan_program",
            "//allocator/pipeline:state",
            "//allocator/simulate",
            "//allocator/validate",
            "//fuzz/inputs:byte_reader",
            "//fuzz/inputs:program_input",
            "//tests/validate:brute_force",
            "@com_google_absl//absl/status:statusor",
        ],
        options = "dict/program.options",
    ),
}

def fuzz_targets():
    for name, arguments in TARGETS.items():
        fuzz_target(name = name, **arguments)
