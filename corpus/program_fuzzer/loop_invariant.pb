
ˆW is defined before the loop and read in it, so it lives through the whole loop, past its last read in layout: S may not take its bytes.óð
main
x (€ 
y (€ 
w (€@
i (€ 
t (€ 
s (€@5
entryloopmake_w
w"
xmake_i
i"
xZ
looploopexittest"
iread_w
t"
wmake_s
s"
tuse_s
i"
s
exitstore
y"
i