
½A is written by halves: a partial def is an implied use, so A lives from the first. The full def of A ends the old value, and A has a hole that B may use. C is copied by adjacent DMA_COPYs.¦£
main
x (€@
y (€@
a (€@
b (€@
c (€@è
entrylow_half
a€ "
x	high_half	
a€ € "
xread_low
y"
admake_b
b"
xuse_b
y"
ball_of_a
a"
xcopy_low
c€ "
a€ #	copy_high	
c€ € "	
a€ € store
y"
c