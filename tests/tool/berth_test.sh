#!/bin/bash
# Runs `berth` as its users do and looks at exit codes and output.
# Usage: berth_test.sh BERTH
set -u
. tests/testing/run_berth.sh || exit 1

quiet() { [[ ! -s err ]] || fail "unexpected messages"; }

# --- plan, check, explain of the worked example ---
cp "$corpus/worked_example.textproto" p.textproto
expect 0 plan p.textproto -o placed.textproto
says 'p.textproto  briggs           5        20480  36864  1.0000'
quiet
expect 0 check placed.textproto --full --original p.textproto
says 'every invariant holds'
expect 0 explain placed.textproto h
says '[16384, 20480) 4096 bytes: too small'
says '[24576, 25769803776) 25769779200 bytes: placed here'
expect 0 plan p.textproto --json
says '"planner":"briggs","locations":5,"intervals":5,"instructions":6,"lower_bound":20480,"peak":36864'
says '"program_total":36864'
[[ $(grep -o '"proved_optimal":true' out | wc -l) -eq 2 ]] ||
  fail 'proved of the program, not of its function'

# Binary in and out, standard input and output, planning again.
expect 0 convert p.textproto p.pb
expect 0 plan p.pb -o placed.pb
expect 0 convert placed.pb again.textproto
cmp -s placed.textproto again.textproto || fail 'text and binary differ'
"$berth" plan - -o - <p.textproto >out 2>err || fail 'plan - -o -'
cmp -s out placed.textproto || fail 'standard output differs from -o FILE'
expect 0 plan placed.textproto -o replaced.textproto
cmp -s placed.textproto replaced.textproto || fail 'planning again differs'

# F13: another memory's page size changes no address.
expect 0 plan p.textproto --dram-page-size 8192 -o other.textproto
complains 'changes no DRAM address'
cmp -s placed.textproto other.textproto || fail '--dram-page-size matters'

# --- a broken placement is exit 3, each invariant by name ---
sed 's/address: 24576/address: 20480/' placed.textproto >broken.textproto
expect 3 check broken.textproto
says 'I1'

# --- the passes after placement ---
expect 0 plan p.textproto
says 'placement made 2 anti and 2 output dependences'
expect 0 plan "$corpus/partial_defs.textproto" --json
says '"merged_dma_copies":1'

expect 0 gen transformer --size 200 --seed 2 -o t.textproto
expect 0 plan t.textproto --dram-rotation --allreduce-buffer-size 0 --log
complains 'addresses rotated'
expect 0 plan t.textproto --dram-rotation --dram-rotation-cap 1KiB
complains 'not rotated'
expect 2 plan t.textproto --dram-rotation --disable-dram-rotation
complains 'contradict'
expect 0 plan t.textproto --disable-dram-rotation

# --- simulate ---
expect 0 simulate placed.textproto --schedules 20 --seed 7
says 'every use sees its bytes'
expect 0 simulate p.textproto --json
complains 'planning it first'
says '"ok":true'
expect 3 simulate broken.textproto
says "instruction"
expect 3 simulate broken.textproto --json
says '"invariant":"I12"'

# --- CSV ---
printf 'id,lower,upper,size\na,0,5,10\nb,5,9,10\nc,2,7,4\n' >c.csv
expect 0 plan c.csv -o c_out.csv
quiet
expect 0 check c_out.csv --full
printf 'id,lower,upper,size,offset\na,0,5,10,0\nb,4,9,10,5\n' >clash.csv
expect 3 check clash.csv
says "'a'"
expect 1 plan c.csv --capacity 13
complains 'does not fit'
expect 0 plan c.csv --capacity 14
expect 2 plan c.csv --capacity 14kb
printf 'id,lower,upper,size\na,0,5\n' >bad.csv
expect 2 plan bad.csv
complains 'bad.csv:2'
expect 2 plan nowhere.csv
complains 'nowhere.csv'
expect 2 plan .
complains 'is a directory'
printf '\x00\x01\x02' >garbage
expect 2 plan garbage
expect 2 simulate c.csv
complains 'no instructions'
expect 2 simulate p.textproto --schedules 0

# Several inputs are worked in order; the worst exit code wins.
expect 2 plan c.csv bad.csv
says 'c.csv'

# --- usage ---
expect 2
expect 2 nonsense
expect 2 plan
expect 2 nonsense
complains "no command 'nonsense'"
expect 2 plan c.csv --planner=best
complains "reference|briggs|greedy|tight is expected"
expect 2 gen random --cores 0 -o x.csv
complains "a whole number from 1"
expect 2 plan p.textproto --allreduce-buffer-size -2
expect 0 plan p.textproto --allreduce-buffer-size -1
expect 2 plan c.csv p.textproto -o one_file
complains 'need a folder'

# Several inputs into one folder: a file each, or nothing is written.
mkdir folder other
cp c.csv other/c.csv
expect 0 plan c.csv p.textproto -o folder --map folder
cmp -s folder/c.csv c_out.csv || fail 'folder/c.csv is not what -o FILE gives'
grep -q '<svg' folder/p.textproto.svg || fail 'no picture in the folder'
rm folder/*
expect 2 plan c.csv other/c.csv -o folder
complains "would both be written to 'folder/c.csv'"
[[ -z $(ls folder) ]] || fail 'written in spite of the fault'

# Planning a placed CSV again: offsets are pins, and that is said.
expect 0 plan c_out.csv
complains 'offsets are pins'
expect 0 --help
says 'Exit codes:'
for command in plan check show explain gen convert simulate passes split; do
  expect 0 "$command" --help
  says 'Exit codes:'
done

# --- gen ---
expect 0 gen --list
for kind in random transformer cnn loops branches adversarial nested; do
  says "$kind"
  expect 0 gen "$kind" --size 40 --seed 3 -o one.textproto
  expect 0 gen "$kind" --size 40 --seed 3 -o two.textproto
  cmp -s one.textproto two.textproto || fail "gen $kind is not determined"
  expect 0 plan one.textproto --full
  expect 0 plan one.textproto --full --link-mode=post --size-rounding=none
  expect 0 gen --list
done
expect 2 gen nonsense -o x.textproto
expect 2 gen random -o x.foo
expect 0 gen random --size 500 --live 20 -o r.csv
expect 0 plan r.csv --full
expect 0 plan r.csv --memory=dram --full --json

# --- convert both ways ---
expect 0 convert c.csv c.textproto
complains 'DRAM'
expect 0 plan c.textproto
expect 0 convert placed.textproto back.csv
expect 0 check back.csv

expect 0 convert c.csv -
cmp -s out c.textproto || fail 'convert to standard output differs'
expect 0 convert placed.pb - --csv
cmp -s out back.csv || fail 'convert to a CSV on standard output differs'
expect 0 convert placed.pb -
cmp -s out placed.textproto || fail 'a binary is not written as text'

# --- explain and show ---
expect 0 explain c.csv c
complains 'planning it first'
# A ceiling that is not of this kind of input, and one that is of some.
expect 0 plan placed.textproto --capacity 10
complains '--capacity is for CSV problems'
expect 0 plan c.csv --hbm-per-core 1GiB
complains '--hbm-per-core is for programs'
expect 0 plan c.csv placed.textproto --capacity 1GiB --hbm-per-core 1GiB
quiet
# Times as the CSV has them, half-open, with a gap and a busiest time.
printf 'id,lower,upper,size,gaps\nx,-3,40,6,0-20\ny,10,30,5,\nz,25,50,9,\n' \
  >times.csv
expect 0 explain times.csv x
says 'live over times [-3, 0) [20, 40)'
says "'y' live [10, 30)"
says 'busiest time 25: 20 bytes live, lower bound 20'
expect 2 explain c.csv nobody
complains "no buffer is called 'nobody'"
expect 0 show placed.textproto -o m.svg
grep -q '<svg' m.svg || fail 'no SVG'
expect 0 show c_out.csv -o m.png
head -c 8 m.png | od -An -tx1 | grep -q '89 50 4e 47' || fail 'no PNG'
expect 2 show placed.textproto -o m.gif
expect 0 show placed.textproto -o -
cmp -s out m.svg || fail 'SVG on standard output differs'
# The bound is drawn above the floor, and is called so.
grep -q 'floor + lower bound 36 KiB' m.svg || fail 'what the line is'
printf 'id,lower,upper,size\na,-9000000000000000000,9000000000000000000,8\n' >far.csv
expect 0 show far.csv -o far.svg
[[ $(grep -c ',000,000,000,000,000' far.svg) -le 5 ]] || fail 'crowded ticks'
expect 0 show placed.textproto -o m.html --beside greedy
grep -q '"title":"greedy"' m.html || fail 'no second side'
expect 0 show c_out.csv -o m.html --beside tight
grep -q '"title":"as given"' m.html || fail 'no first side'
expect 2 show placed.textproto -o m.svg --beside greedy
expect 2 show placed.textproto -o m.html --beside best

# --- several cores ---
cp "$corpus/two_cores.textproto" two.textproto
expect 0 explain two.textproto 1:main/T
says "'T' of shared space: 8192 bytes at [8192, 16384)"
says "owner 'T' of core 1 main, copies on 1 other core(s)"
expect 0 explain two.textproto s
says "'S' of shared space: 4096 bytes at [16384, 20480)"
expect 0 passes
says 'coloring_allocator_dram_shared'
expect 0 passes --disable-dram-allocation --allow-unaddressed
[[ $(head -1 out) == coloring_allocator_dram_shared ]] || fail 'gate'
expect 0 gen transformer --size 76 --cores 4 -o four.textproto
expect 0 gen transformer --size 76 -o one.textproto
expect 0 split one.textproto --cores 4 -o split.textproto
cmp -s four.textproto split.textproto || fail 'gen --cores is not split'
expect 0 plan four.textproto --full -o four_placed.textproto
says 'core 3 private'
says 'SHARED'
says 'program total'
expect 0 check four_placed.textproto --full --original four.textproto
expect 0 plan four.textproto --json
says '"shared_runs":[{"space":"SHARED"'
expect 0 plan four.textproto --full --shared-mb-per-core 2048
says 'SHARED slab 3'
expect 1 plan four.textproto --disable-dram-allocation
complains 'have no address'
expect 0 plan four.textproto --disable-dram-allocation --allow-unaddressed
expect 1 plan four.textproto --hbm-per-core 100MiB
complains 'over budget: the window is 104857600 bytes'
complains 'core 3: private peak'
expect 2 split four.textproto --cores 2 -o x.textproto
complains 'four.textproto: a program of one core can be split'
expect 2 split c.csv -o x.textproto
expect 2 split one.textproto --cores 65 -o x.textproto
expect 2 gen random --cores 2 -o x.csv

# --- every corpus program ---
for f in "$corpus"/*.textproto "$corpus"/*.csv; do
  [[ -e $f ]] || continue
  expect 0 plan "$f" --full
done

[[ $failures -eq 0 ]] && printf 'all as expected\n'
exit $((failures > 0))
