"""The game model: actions, events, views, the contract of a variant, and deals in play.

The words of the table, used everywhere alike in code, log and help:

*meld* a set or a run · *set* three or four of a rank · *run* three or more of a suit in sequence · *lay off* add a card to a
meld on the table · *stock* the face-down pile · *discard pile* the face-up pile, its top is the *upcard* · *deadwood* points of
the cards in no meld · *knock* end the hand with little deadwood · *gin* end it with none · *seat* a place at the table,
counted from 0 · *hand* the cards a seat holds · *deal* from the shuffle to the score · *table* the seats of one match ·
*match* what they contest · *round* all matches of one pairing · *entry* a right to take part, named in the spec · *buy-in*
what an entry pays · *payout* what a place gets · *fault* something a bot did wrong · *finding* something an audit saw.
"""
