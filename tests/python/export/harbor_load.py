"""Loads every task folder below a folder as Harbor does, and prints what it reads of each."""

import json
import sys
import warnings
from pathlib import Path

from harbor.models.task.task import Task
from harbor.models.task.verifier_mode import (
    resolve_task_verifier_mode,
    resolve_verifier_environment_definition,
)

warnings.simplefilter("ignore", DeprecationWarning)


def main() -> None:
    tasks = {}
    for folder in sorted(path for path in Path(sys.argv[1]).iterdir() if path.is_dir()):
        assert Task.is_valid_dir(folder), folder
        task = Task(folder)
        definition = resolve_verifier_environment_definition(task.config, task.paths)
        assert definition is not None and definition.bundled_tests, folder
        assert task.paths.discovered_solve_path is not None, folder
        tasks[folder.name] = {
            "name": task.name,
            "mode": resolve_task_verifier_mode(task.config).value,
            "instruction": task.instruction,
            "metadata": task.config.metadata,
            "network": task.config.environment.network_mode.value,
            "digest": task.checksum,
        }
    print(json.dumps(tasks))


main()
