#!/bin/bash -eu
exec "$SRC/berth/fuzz/oss_fuzz/build.sh"
