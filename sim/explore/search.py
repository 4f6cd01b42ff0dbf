# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Search in place of a grid: NSGA-II of Optuna chooses devices, all problems are solved on each, and the
store has them as it has any other point."""
import math

import columns
from measure import say
from refusal import ENVIRONMENT, Refusal

POPULATION = 24
PROBLEM_AXES = {"problem", "seed"}


def import_optuna():
    try:
        import optuna
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        return optuna
    except ImportError:
        raise Refusal("--search: Python has no optuna, expected it (pip install optuna)",
                      ENVIRONMENT) from None


def mean(values):
    if any(value is None for value in values):
        return None
    if all(value > 0 for value in values):
        return math.exp(sum(map(math.log, values)) / len(values))
    return sum(values) / len(values)


def search(study, measurement):
    """The points that were looked at."""
    optuna = import_optuna()
    goals = ([(name, "minimize") for name in study.search.get("minimize", [])]
             + [(name, "maximize") for name in study.search.get("maximize", [])])
    if not goals:
        raise Refusal(f"{study.path}: search has no goal, expected minimize or maximize with columns: "
                      "[search] minimize = [\"us_per_frame\", \"pipe_area_mm2\"]")
    trials = study.search.get("trials", 100)
    devices = [(names, values) for names, values in study.axes if not PROBLEM_AXES & set(names)]
    space = {", ".join(names): optuna.distributions.CategoricalDistribution(range(len(values)))
             for names, values in devices}
    sampler = optuna.samplers.NSGAIISampler(seed=study.search.get("seed", 1),
                                            population_size=min(POPULATION, trials))
    trace = optuna.create_study(directions=[way for _, way in goals], sampler=sampler)
    seen, told = {}, 0
    while told < trials:
        asked = [trace.ask(space) for _ in range(min(POPULATION, trials - told))]
        pairs = [list(study.expand({names: values[trial.params[", ".join(names)]]
                                    for names, values in devices})) for trial in asked]
        found = measurement.identified_lists(pairs)
        points = {point["hash"]: point for some in found for point in some}
        if points:
            measurement.run(list(points.values()))
        solved = measurement.store.points(points)
        for trial, some in zip(asked, found):
            values = [mean([columns.value_of(name, solved[point["hash"]], study.technology)
                            if point["hash"] in solved else None for point in some])
                      if some else None for name, _ in goals]
            if None in values:
                trace.tell(trial, state=optuna.trial.TrialState.FAIL)
            else:
                trace.tell(trial, values)
        told += len(asked)
        seen.update(points)
        say(f"{told} of {trials} devices, {len(seen):,} points, front of {len(trace.best_trials)}")
    return list(seen.values())
