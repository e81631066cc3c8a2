#!/bin/bash
# README.md shows what the program prints. Usage: readme_test.sh README BERTH
exec python3 tests/docs/readme.py "$@"
