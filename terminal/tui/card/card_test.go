package card_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/terminal/tui/card"
	"rein/terminal/tui/look"
)

func big(ask rein.Ask) *desk { return newDesk(ask, card.Options{}, 100, 50) }

// answers fails unless an answer came out, and returns it without what binds it to the ask.
func answers(t *testing.T, act card.Act) rein.Answer {
	t.Helper()
	if act.Answer == nil {
		t.Fatalf("no answer came out: %+v", act)
	}
	answer := *act.Answer
	answer.Shown = ""
	return answer
}

func isAnswer(t *testing.T, act card.Act, want rein.Answer) {
	t.Helper()
	if diff := cmp.Diff(want, answers(t, act)); diff != "" {
		t.Errorf("the answer (-want +got):\n%s", diff)
	}
}

func (d *desk) sees(t *testing.T, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(d.rows(), w) {
			t.Errorf("%q is not on the screen:\n%s", w, d.rows())
		}
	}
}

// Keys that were typed before the card could be seen answer nothing, and neither do those after them: whoever types
// without a pause means something else.
//
// Covers: SD-46
func TestArms(t *testing.T) {
	d := big(edit())
	at := func(ms int) time.Time { return noon.Add(time.Duration(ms) * time.Millisecond) }
	for _, ms := range []int{0, 499, 900, 1399} {
		if act := d.Key(key("a"), at(ms)); act != (card.Act{}) {
			t.Fatalf("after %d ms: %+v", ms, act)
		}
	}
	d.Touched(at(1500))
	if d.Armed(at(1999)) || !d.Armed(at(2000)) {
		t.Error("half a second after a touch the card is armed, and not before")
	}
	if act := d.Key(key("z"), at(2100)); act.Taken {
		t.Error("a key that means nothing was taken")
	}
	if act := d.Key(key("a"), at(2200)); act.Taken {
		t.Error("a key right after one that means nothing was taken")
	}
	isAnswer(t, d.Key(key("a"), at(2700)), rein.Answer{State: rein.AskApproved})
	if act := d.Key(key("a"), at(9000)); act.Taken {
		t.Error("a card answered twice")
	}
}

// A key that is held down answers one card. Some terminals say that it is held, others do not.
//
// Covers: SD-46
func TestHeldKey(t *testing.T) {
	repeated := key("a")
	repeated.IsRepeat = true
	d := big(edit())
	if act := d.Key(repeated, d.now); act.Answer != nil {
		t.Error("a key that is held answered")
	}
	if act := newDesk(edit(), card.Options{Held: "shift+a"}, 100, 50).Key(tea.KeyPressMsg{Code: 'a', Mod: tea.ModShift, Text: "A"}, noon.Add(660*time.Millisecond)); act.Taken {
		t.Error("a held key was taken")
	}
	d = newDesk(edit(), card.Options{Held: "a"}, 100, 50)
	for ms := 660; ms < 5000; ms += 33 { // after the delay of many keyboards
		if act := d.Key(key("a"), noon.Add(time.Duration(ms)*time.Millisecond)); act.Taken {
			t.Fatalf("a held key was taken after %d ms", ms)
		}
	}
	isAnswer(t, d.Key(key("a"), noon.Add(6*time.Second)), rein.Answer{State: rein.AskApproved})
}

// A key is dim as long as it does not count, so that nobody has to guess.
//
// Covers: SD-46
func TestKeysThatDoNotCountAreDim(t *testing.T) {
	theme := look.New(true)
	for _, held := range []string{"", "a"} {
		for ms, bright := range map[int]bool{100: false, 700: held == "", 1300: true} {
			c := card.New(theme, edit(), card.Options{Now: noon, Held: held})
			rows := strings.Join(c.Rows(80, 30, noon.Add(time.Duration(ms)*time.Millisecond)), "\n")
			if strings.Contains(rows, theme.Accent("a")+" allow once") != bright {
				t.Errorf("held %q, after %d ms: bright should be %v:\n%s", held, ms, bright, rows)
			}
		}
	}
	c := card.New(theme, rein.Ask{Kind: rein.AskQuestion, Text: "Which?"}, card.Options{Now: noon, Held: "enter"})
	if rows := strings.Join(c.Rows(80, 30, noon.Add(time.Second)), "\n"); strings.Contains(rows, theme.Accent("Enter")) {
		t.Errorf("Enter may be held, and is bright:\n%s", rows)
	}
}

// Covers: SD-46
func TestModifiedKeysAnswerNothing(t *testing.T) {
	for _, mod := range []tea.KeyMod{tea.ModCtrl, tea.ModAlt, tea.ModMeta, tea.ModSuper, tea.ModHyper} {
		for _, name := range []string{"a", "s", "A", "r", "enter"} {
			k := key(name)
			k.Mod = mod // some terminals send the text too
			if act := big(command()).Key(k, noon.Add(time.Second)); act != (card.Act{}) {
				t.Errorf("%s with %v: %+v", name, mod, act)
			}
		}
	}
}

// Covers: SD-50/tui
func TestScopes(t *testing.T) {
	isAnswer(t, big(command()).types("a"), rein.Answer{State: rein.AskApproved})
	isAnswer(t, big(command()).types("s"), rein.Answer{State: rein.AskApproved, Scope: rein.ScopeSession})
	isAnswer(t, big(command()).types("A"), rein.Answer{State: rein.AskApproved, Scope: rein.ScopeAlways})
	isAnswer(t, big(command()).types("r n o enter"), rein.Answer{State: rein.AskRejected, Text: "no"})
	isAnswer(t, big(command()).types("r enter"), rein.Answer{State: rein.AskRejected})
	for _, name := range []string{"s", "A"} {
		if act := big(long()).types("v G " + name); act.Taken {
			t.Errorf("%s is not offered and was taken: %+v", name, act)
		}
	}
}

// What is longer than the box has to be read before it is approved, every row of it.
//
// Covers: SD-50/tui
func TestReadsFirst(t *testing.T) {
	for _, keys := range []string{"a", "v a", "v G a", "v v a", "e", "E"} {
		d := newDesk(long(), card.Options{}, 80, 24)
		if act := d.types(keys); act.Answer != nil || act.Edit || !act.Taken {
			t.Errorf("%s: %+v", keys, act)
		}
		d.sees(t, "read all of it first")
	}
	d := newDesk(long(), card.Options{}, 80, 24)
	d.press("v")
	for range 8 {
		d.press("space")
	}
	isAnswer(t, d.press("a"), rein.Answer{State: rein.AskApproved})
	isAnswer(t, newDesk(long(), card.Options{}, 80, 24).types("r enter"), rein.Answer{State: rein.AskRejected})
}

// A pattern that stands beside its key in a large box stands with what is asked in a small one, and while the card has
// no keys nowhere. It is not granted unread, whatever the box was before.
//
// Covers: SD-50/tui
func TestPatternsAreRead(t *testing.T) {
	ask := edit()
	ask.Offers, ask.Guessed = rein.Offers{Session: []string{"PATTERN"}, Always: []string{"another"}}, strings.Repeat("guess ", 40)
	for _, heights := range [][2]int{{17, 9}, {20, 10}, {22, 12}, {9, 17}, {10, 30}, {12, 22}, {11, 24}} {
		for pages := range 9 {
			d := newDesk(ask, card.Options{}, 40, heights[0])
			shown := d.rows()
			for n, name := range strings.Fields("v" + strings.Repeat(" space", pages) + " s G s g" + strings.Repeat(" space", 20) + " s") {
				if n == pages+1 {
					d.height = heights[1]
					shown += d.rows()
				}
				act := d.types(name)
				shown += d.rows()
				if act.Answer != nil {
					break
				}
			}
			for _, words := range []string{"PATTERN", "It can change something", "d.unlock"} {
				if !strings.Contains(shown, words) {
					t.Errorf("%v rows, %d pages: granted, and %q was not on the screen", heights, pages, words)
				}
			}
			d.sees(t, "sending")
		}
	}
	d := &desk{Card: card.New(look.New(true), ask, card.Options{Now: noon}), now: noon.Add(time.Second), width: 100, height: 50}
	d.Focus(false, noon)
	if strings.Contains(d.rows(), "PATTERN") {
		t.Fatal("the keys are shown, and are not for the card")
	}
	d.Focus(true, noon)
	if act := d.Key(key("s"), d.now); act.Answer != nil {
		t.Error("granted unread")
	}
}

// In another width the rows are others, and those that were read say nothing about them.
func TestReadsAgainInAnotherWidth(t *testing.T) {
	text := numbered(40, "begin%03d "+strings.Repeat("words ", 15)+"\n")
	d := newDesk(approval("write_file", `{}`, text), card.Options{}, 40, 20)
	shown := d.rows()
	d.types("v")
	shown += d.rows()
	for range 3 {
		d.types("space")
		shown += d.rows()
	}
	d.width = 150
	for range 20 {
		shown += d.rows()
		if act := d.press("a"); act.Answer != nil {
			for i := range 40 {
				if begins := fmt.Sprintf("begin%03d", i+1); !strings.Contains(shown, begins) {
					t.Fatalf("approved, and %s was not on the screen", begins)
				}
			}
			return
		}
		d.now = d.now.Add(time.Second)
		d.press("space")
	}
	t.Error("it could be read to its end and was not approved")
}

// What the card shows changes: it has to be read again, and no key counts for a moment.
func TestUpdate(t *testing.T) {
	d := newDesk(arguments(), card.Options{}, 80, 30)
	if act := d.press("x"); !act.Reveal {
		t.Errorf("%+v", act)
	}
	plain := arguments()
	plain.Call = call("send_mail", strings.Replace(string(plain.Call.Args), rein.Mask+"github token]", strings.Repeat("ghp_1234 ", 400), 1))
	plain.Text = "Allow send_mail " + string(plain.Call.Args) + "?"
	d.Update(plain, d.now)
	if act := d.press("a"); act.Taken {
		t.Error("a key counted right after the card changed")
	}
	d.now = d.now.Add(time.Second)
	if act := d.press("a"); act.Answer != nil {
		t.Error("approved what was not on the screen")
	}
	d.sees(t, "ghp_1234", "read all of it first")
	d.Update(plain, d.now) // the same again changes nothing
	if !d.Armed(d.now) {
		t.Error("the same ask again disarmed the card")
	}
}

// What gets something from outside its sandbox takes a second key.
func TestInPerson(t *testing.T) {
	d := big(network())
	if act := d.types("s"); act.Answer != nil {
		t.Fatal("one key allowed the network")
	}
	d.sees(t, "Enter allows it for this session", "outside its sandbox")
	isAnswer(t, d.press("enter"), rein.Answer{State: rein.AskApproved, Scope: rein.ScopeSession})
	d = big(network())
	if act := d.types("a esc enter"); act.Answer != nil {
		t.Error("Esc did not go back")
	}
}

func TestPlan(t *testing.T) {
	plan := asks()["plan"]
	isAnswer(t, big(plan).types("a"), rein.Answer{State: rein.AskApproved, Mode: rein.ModeAsk})
	isAnswer(t, big(plan).types("m a"), rein.Answer{State: rein.AskApproved, Mode: rein.ModeEdits})
	isAnswer(t, big(plan).types("m m a"), rein.Answer{State: rein.AskApproved, Mode: rein.ModeAsk})
	isAnswer(t, big(plan).types("r x enter"), rein.Answer{State: rein.AskRejected, Text: "x"})
	if act := big(plan).types("e"); act.Taken {
		t.Error("a plan can be edited")
	}
}

// Covers: SD-49
func TestQuestion(t *testing.T) {
	q := asks()["question"]
	isAnswer(t, big(q).types("2 enter"), rein.Answer{State: rein.AskAnswered, Text: "the new one, which takes longer"})
	isAnswer(t, big(q).types("n o n space e enter"), rein.Answer{State: rein.AskAnswered, Text: "non e"})
	isAnswer(t, big(q).types("9 enter"), rein.Answer{State: rein.AskAnswered, Text: "9"})
	isAnswer(t, big(q).types("a x x ctrl+w 1 ctrl+u 1 enter"), rein.Answer{State: rein.AskAnswered, Text: "the old one"})
	isAnswer(t, big(q).types("ctrl+d"), rein.Answer{State: rein.AskDeclined})
	isAnswer(t, big(q).types("r e d home left delete 界 end backspace enter"), rein.Answer{State: rein.AskAnswered, Text: "界e"})
	for _, keys := range []string{"enter", "space enter", "2"} {
		if act := big(q).types(keys); act.Answer != nil || !act.Taken {
			t.Errorf("%s: %+v", keys, act)
		}
	}
	d := big(q)
	d.Paste("two\nlines\x1b[2J\u202e\n")
	isAnswer(t, d.press("enter"), rein.Answer{State: rein.AskAnswered, Text: `two lines\x1b[2J\u202e`})
	d = big(q)
	d.Key(tea.KeyPressMsg{Code: 'x', Text: "x\u202ey"}, d.now)
	isAnswer(t, d.press("enter"), rein.Answer{State: rein.AskAnswered, Text: `x\u202ey`})
	if act := big(q).press("esc"); !act.Leave {
		t.Errorf("Esc: %+v", act)
	}
}

// Somebody who is writing keeps the keys when the card moves, but what they wrote is not sent by a key that comes then.
//
// Covers: SD-46
func TestWritingGoesOn(t *testing.T) {
	d := big(edit())
	d.types("r n")
	d.Touched(d.now)
	if act := d.press("o"); !act.Taken {
		t.Error("a letter of a reason went past the card")
	}
	if act := d.press("enter"); act.Answer != nil || !act.Taken {
		t.Errorf("sent while the card moved: %+v", act)
	}
	d.now = d.now.Add(time.Second)
	isAnswer(t, d.press("enter"), rein.Answer{State: rein.AskRejected, Text: "no"})
}

// Running something again is never one key.
func TestUnknown(t *testing.T) {
	u := asks()["unknown"]
	for n, want := range []string{rein.ItHappened, rein.RunAgain, rein.SkipIt} {
		d := big(u)
		if act := d.press(string(rune('1' + n))); act.Answer != nil {
			t.Fatalf("%d answered at once", n+1)
		}
		isAnswer(t, d.press("enter"), rein.Answer{State: rein.AskAnswered, Text: want})
	}
	if act := big(u).types("enter"); act.Taken {
		t.Error("Enter answered, and nothing was chosen")
	}
	isAnswer(t, big(u).types("2 1 enter"), rein.Answer{State: rein.AskAnswered, Text: rein.ItHappened})
}

// The keys go back to the input, and the card takes none until it has them again.
func TestFocus(t *testing.T) {
	for _, name := range []string{"tab", "esc"} {
		if act := big(edit()).press(name); !act.Leave || !act.Taken {
			t.Errorf("%s: %+v", name, act)
		}
	}
	d := big(edit())
	d.Focus(false, d.now)
	d.now = d.now.Add(time.Minute)
	if act := d.press("a"); act.Taken || d.Typing() {
		t.Errorf("%+v", act)
	}
	d.Focus(true, d.now)
	if act := d.press("a"); act.Taken {
		t.Error("a key counted as soon as the card had the keys again")
	}
	d.now = d.now.Add(time.Second)
	isAnswer(t, d.press("a"), rein.Answer{State: rein.AskApproved})
}

// An answer that was not accepted can be given again.
func TestRefused(t *testing.T) {
	d := big(edit())
	d.types("r n o enter")
	d.sees(t, "sending")
	d.Refused("the server cannot be reached", d.now)
	d.sees(t, "cannot be reached", "why not? › no")
	d.now = d.now.Add(time.Second)
	isAnswer(t, d.press("enter"), rein.Answer{State: rein.AskRejected, Text: "no"})
}

// The answer is bound to what the card shows.
func TestShown(t *testing.T) {
	for _, name := range []string{"edit", "plan"} {
		ask := asks()[name]
		act := big(ask).press("a")
		if act.Answer == nil || act.Answer.Shown != ask.Shown {
			t.Errorf("%s: %+v", name, act.Answer)
		}
	}
}

// A child of the run asks; somebody has to answer within a time.
func TestFacts(t *testing.T) {
	d := newDesk(edit(), card.Options{From: "Which tests are flaky?"}, 120, 50)
	d.sees(t, "mode ask", "in the run below: Which tests are flaky?", "59 min 59 s left, then the call is not made")
	d.now = noon.Add(time.Hour - 9*time.Second)
	d.sees(t, "9 s left, then")
	d.now = noon.Add(2 * time.Hour)
	d.sees(t, "the time is up")
	ends := []string{}
	for _, e := range []rein.Expiry{"", rein.ExpiryContinue, rein.ExpiryStop, rein.ExpiryPark} {
		q := asks()["question"]
		q.OnExpiry = e
		for line := range strings.Lines(big(q).rows()) {
			if _, then, ok := strings.Cut(line, "left, "); ok {
				ends = append(ends, strings.TrimRight(then, " │\n"))
			}
		}
	}
	if want := []string{"then the run continues without an answer", "then the run continues without an answer", "then the run is stopped", "and it waits after that too"}; !slices.Equal(ends, want) {
		t.Errorf("%q", ends)
	}
}
