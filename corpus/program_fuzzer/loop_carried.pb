
€C is read at the head of the loop and defined anew at its end: it lives round the back edge, through the whole loop. T does not.ÐÍ
main
x (€ 
y (€ 
c (€@
t (€ 
u (€ 
entryheadinit
c"
x$
headbodyexitread
t"
c1
bodyheadstep
u"
tcarry
c"
u
exitstore
y"
t