package card_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rein"
	"rein/internal/labs"
	"rein/terminal"
	"rein/terminal/tui/card"
	"rein/terminal/tui/look"
)

// keysOfCards are all keys that mean something to a card, and some that do not.
var keysOfCards = strings.Fields("a s A e E r v x m j k g G y z 1 2 3 9 { } \" 界 pgup pgdown up down left right home end space enter enter enter esc tab backspace delete f2 " +
	"ctrl+s ctrl+d ctrl+u ctrl+w ctrl+k ctrl+a ctrl+e ctrl+c ctrl+j alt+a alt+s alt+enter ctrl+enter")

// A player presses keys on a card at random, and knows by itself what it may do.
type player struct {
	*testing.T
	r             *rand.Rand
	card          *card.Card
	ask           rein.Ask
	now, quiet    time.Time // quiet: since when nothing touched the card
	width, height int
	shown         map[string]bool // the rows that were on the screen since the ask changed, flat
	told          []string        // what happened, for whoever looks into a failure
	writes        bool            // somebody has begun to write in the card
	answers       map[string]int
}

// flat is a text without what folding and framing change.
func flat(text string) string {
	return strings.NewReplacer(" ", "", "\n", "", "┊", "", "│", "").Replace(ansi.Strip(text))
}

func (p *player) draw() {
	rows := p.card.Rows(p.width, p.height, p.now)
	if len(rows) > p.height {
		p.Fatalf("%d rows in %d", len(rows), p.height)
	}
	for _, row := range rows {
		if cells := look.Cells(row); cells > p.width {
			p.Fatalf("a row of %d cells in %d: %q", cells, p.width, row)
		}
		p.shown[flat(row)] = true
	}
}

func (p *player) press() {
	name := keysOfCards[p.r.IntN(len(keysOfCards))]
	k := key(name)
	k.IsRepeat = p.r.IntN(20) == 0
	p.act(k)
}

func (p *player) act(k tea.KeyPressMsg) {
	name := k.String()
	armed, writes := p.now.Sub(p.quiet) >= 500*time.Millisecond, p.writes && p.card.Typing()
	act := p.card.Key(k, p.now)
	p.told = append(p.told, fmt.Sprintf("%s (armed %v): %+v", name, armed, act))
	if !armed && (act.Answer != nil || act.Edit || act.Reveal || act.Taken && !writes) {
		p.Fatalf("%s was taken before the card was armed: %+v", name, act)
	}
	p.writes = p.writes || act.Taken && p.card.Typing() || act.Edit
	if !act.Taken {
		p.quiet = p.now
		if act != (card.Act{}) {
			p.Fatalf("%s: %+v, and not taken", name, act)
		}
	}
	if act.Answer != nil {
		p.check(k, *act.Answer)
		p.after()
	}
	if act.Edit {
		p.edit()
	}
}

// edit brings arguments back from an editor, right ones and wrong ones, and at times sends them.
func (p *player) edit() {
	text := p.card.Arguments()
	if p.r.IntN(3) == 0 {
		text = text[:p.r.IntN(len(text))]
	}
	_ = p.card.Edited([]byte(strings.Replace(text, "{", `{"more":true,`, 1)))
	if p.r.IntN(2) == 0 {
		p.now = p.now.Add(time.Minute)
		p.act(key("ctrl+s"))
	}
}

// check looks at an answer: it fits, it is to what was shown, and all that is approved was shown.
func (p *player) check(k tea.KeyPressMsg, answer rein.Answer) {
	answer.By = "bob"
	if p.ask.For != "" {
		answer.By = p.ask.For
	}
	if err := p.ask.Accepts(answer); err != nil {
		p.Fatalf("%v\n%s", err, strings.Join(p.told, "\n"))
	}
	p.answers[fmt.Sprint(p.ask.Kind, " ", answer.State, " ", answer.Scope, answer.Mode)]++
	if err := p.ask.Binds(answer); err != nil {
		p.Fatal(err)
	}
	if k.IsRepeat || k.Mod&tea.ModAlt != 0 || k.Mod != 0 && !slices.Contains([]string{"ctrl+s", "ctrl+d"}, k.Keystroke()) {
		p.Fatalf("%s answered", k.Keystroke())
	}
	if answer.State != rein.AskApproved && answer.State != rein.AskEdited && answer.Text != rein.RunAgain {
		return
	}
	for _, part := range append(whatIsAsked(p.ask), p.ask.Offers.Of(answer.Scope)...) {
		if !p.wasShown(flat(look.Safe(part))) {
			p.Fatalf("%q was approved and not shown:\n%s", part, strings.Join(p.told, "\n"))
		}
	}
}

// whatIsAsked are the lines of an ask that a yes is to.
func whatIsAsked(ask rein.Ask) []string {
	text, args := terminal.Parts(ask)
	lines := append(strings.Split(text, "\n"), strings.Split(args, "\n")...)
	if strings.HasPrefix(text, "Allow ") { // nothing but the arguments, which are set on many lines
		lines = append(lines[1:], strings.Split(terminal.Editable(ask.Call.Args), "\n")...)
	}
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ") })
	return append(lines, terminal.Means(ask))
}

// wasShown reports whether a text was on the screen, in pieces of rows.
func (p *player) wasShown(text string) bool {
	for text != "" {
		n := len(text)
		for ; n > 0; n-- {
			if slices.ContainsFunc(p.rows(), func(row string) bool { return strings.Contains(row, text[:n]) }) {
				break
			}
		}
		if n < min(len(text), 6) {
			return false
		}
		text = text[n:]
	}
	return true
}

func (p *player) rows() []string { return slices.Collect(maps.Keys(p.shown)) }

// after is what may happen to a card that was answered.
func (p *player) after() {
	if act := p.card.Key(key("a"), p.now.Add(time.Hour)); act != (card.Act{}) {
		p.Fatalf("a card that was answered took a key: %+v", act)
	}
	if p.r.IntN(2) == 0 {
		p.card.Refused("somebody changed the folder: look again", p.now)
		p.quiet = p.now
		return
	}
	p.deal()
}

// deal shows another ask.
func (p *player) deal() {
	all := asks()
	names := []string{"arguments", "command", "edit", "free", "long", "network", "plan", "question", "unknown"}
	p.ask = all[names[p.r.IntN(len(names))]]
	p.card = card.New(look.New(p.r.IntN(2) == 0), p.ask, card.Options{Now: p.now})
	p.quiet, p.told, p.writes = p.now, nil, false
	p.shown = map[string]bool{}
	p.draw()
}

// other is something that happens beside keys.
func (p *player) other() {
	switch p.r.IntN(5) {
	case 0:
		p.card.Touched(p.now)
		p.quiet = p.now
	case 1:
		p.width, p.height = 30+p.r.IntN(100), 9+p.r.IntN(30)
	case 2:
		p.card.Paste([]string{"x", "a\nb\x1b[31m", `{"path":"b"}`, "\u202e"}[p.r.IntN(4)])
		p.writes = p.writes || p.card.Typing()
	case 3:
		if p.ask.Call != nil { // for example with its secrets
			p.ask.Text += "\nand more\n"
			p.ask.Shown += "+"
			p.card.Update(p.ask, p.now)
			p.quiet = p.now
			p.shown = map[string]bool{}
		}
	case 4:
		p.card.Focus(true, p.now)
	}
}

// Whatever keys are pressed: what comes out fits the ask, nothing comes out before the card has stood still for half a
// second, and nothing is approved of which a line was not on the screen.
//
// Plain: it repeats one thing many times.
// Covers: SD-46 SD-50/tui
func TestKeysAtRandom(t *testing.T) {
	t.Parallel()
	answers := map[string]int{}
	for seed := range uint64(4) {
		if !labs.Cell(int(seed), 2) {
			continue
		}
		p := &player{T: t, r: rand.New(rand.NewPCG(seed, 19)), now: noon, width: 80, height: 24, answers: answers}
		p.deal()
		for range 1500 {
			p.now = p.now.Add([]time.Duration{0, 30 * time.Millisecond, 200 * time.Millisecond, 499 * time.Millisecond, 500 * time.Millisecond, 2 * time.Second, 2 * time.Second}[p.r.IntN(7)])
			if p.r.IntN(12) == 0 {
				p.other()
			} else {
				p.press()
			}
			p.draw()
		}
	}
	if !testing.Short() && len(answers) < 10 {
		t.Errorf("few kinds of answers came out: %v", answers)
	}
}
