
¸Two all-reduce buffers of 300 MiB are live at once: with 500 MiB kept for collectives one of them goes to the general region and is counted; the workspace W stays out of the CC region.ÐÍ
main
x (€ 
y (€ 
a (€€€K0
b (€€€K0

w (€€€ˆ
entrymake_a
a"
xmake_b
b"
areduce_a
a"
areduce_b
b"
bmix
w"
a"
bstore
y"
w