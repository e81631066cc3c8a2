
ŸThree blocks end the function: OUTPUT is used at each. E is live on the way to one exit only. The block orphan is reached by nobody and follows the same rules.¬©
main
x (€ 
y (€ 
v (€ 
e (€@
f (€@
o (€ :
entryearlyrestload
v"
xmake_e
e"
v
earlystore
y"
e&
restlatelastmake_f
f"
v
latestore
y"
f"
v
laststore
y"
f*
orphanmake_o
ouse_o
y"
o