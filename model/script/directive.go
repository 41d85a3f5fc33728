package script

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"rein"
)

var headers = map[string]func(*rein.ModelInfo, *line) error{
	"model":      readModel,
	"window":     func(i *rein.ModelInfo, l *line) error { return l.tokens(&i.Window) },
	"max_output": func(i *rein.ModelInfo, l *line) error { return l.tokens(&i.MaxOutput) },
	"price":      readPrice,
}

var directives = map[string]func(*entry, *line) error{
	"say":        readSay,
	"call":       func(e *entry, l *line) error { return readCall(e, l, rightCall) },
	"wrong-tool": func(e *entry, l *line) error { return readCall(e, l, wrongCall) },
	"malformed":  readMalformed,
	"usage":      readUsage,
	"overrun":    func(e *entry, l *line) error { return e.accountBy(l, overrun) },
	"slow":       func(e *entry, l *line) error { return l.duration(&e.slow) },
	"drip":       func(e *entry, l *line) error { return l.duration(&e.drip) },
	"fail":       readFail,
	"cut":        readCut,
	"hang":       func(e *entry, l *line) error { return e.addFault(l, fault{kind: hanging}) },
	"empty":      func(e *entry, l *line) error { return e.addFault(l, fault{kind: emptying}) },
}

func allDirectives() []string {
	all := slices.Concat([]string{"turn", "when"}, sortedKeys(headers), sortedKeys(directives))
	slices.Sort(all)
	return all
}

func readModel(i *rein.ModelInfo, l *line) (err error) {
	i.Name, err = l.value("the model's name")
	return err
}

// readPrice reads prices as providers print them: currency units for a million tokens.
func readPrice(i *rein.ModelInfo, l *line) error {
	return l.fields("price in=3.00 out=15.00", func(value string) (int64, bool) {
		f, err := strconv.ParseFloat(value, 64)
		micros := math.Round(f * 1e6)
		return int64(micros), err == nil && micros >= 0 && micros <= most
	}, field{"in", &i.InputMicros}, field{"out", &i.OutputMicros})
}

// readSay takes the line as it is. Further says add lines.
func readSay(e *entry, l *line) error {
	e.replies = true
	text := l.rest
	if strings.HasPrefix(text, "<<") {
		var err error
		if text, err = l.heredoc(); err != nil {
			return err
		}
	}
	l.rest = ""
	e.said = append(e.said, text)
	return nil
}

func readCall(e *entry, l *line, kind callKind) error {
	name, err := l.value(`a tool's name, as in: ` + l.word + ` search {"q":"rein"}`)
	if err != nil {
		return err
	}
	c := call{line: l.no, name: name, kind: kind}
	for !l.done() {
		if ok, err := c.readID(l); err != nil {
			return err
		} else if ok {
			continue
		}
		if c.args != nil {
			return l.end()
		}
		if c.args, err = l.json(); err != nil {
			return err
		}
	}
	if c.args == nil {
		c.args = json.RawMessage("{}")
	}
	return e.addCall(l, c)
}

func (c *call) readID(l *line) (bool, error) {
	id, ok, err := l.option("id")
	if err == nil && ok && id == "" {
		return false, l.errorf("%s: the id is empty; leave id= out to have one made", l.word)
	}
	if ok {
		c.id = id
	}
	return ok, err
}

func (e *entry) addCall(l *line, c call) error {
	if c.id != "" && slices.ContainsFunc(e.calls, func(o call) bool { return o.id == c.id }) {
		return l.errorf("%s: a second call with id=%s in this reply; want another id", l.word, c.id)
	}
	e.replies = true
	e.calls = append(e.calls, c)
	return nil
}

// brokenJSON is a reply that was cut off in its arguments, which is how models break most often.
const brokenJSON = `{"broken": "`

func readMalformed(e *entry, l *line) error {
	if l.quoted() || strings.HasPrefix(l.rest, "<<") {
		text, err := l.text("text")
		e.replies = true
		e.said = append(e.said, text)
		return err
	}
	c := call{line: l.no, args: json.RawMessage(brokenJSON), kind: brokenCall}
	if l.done() {
		return e.addCall(l, c)
	}
	c.name, _ = l.value("")
	if _, err := c.readID(l); err != nil {
		return err
	}
	if !l.done() {
		raw, err := l.text("arguments")
		if err != nil {
			return err
		}
		if json.Valid([]byte(raw)) {
			return l.errorf("malformed: %s is JSON; want something broken, or use call", clip(raw))
		}
		c.args = json.RawMessage(raw)
	}
	if _, err := c.readID(l); err != nil {
		return err
	}
	return e.addCall(l, c)
}

func readUsage(e *entry, l *line) error {
	if err := e.accountBy(l, given); err != nil {
		return err
	}
	if l.rest == "none" {
		l.rest, e.account = "", unsaid
		return nil
	}
	e.usage = &rein.Usage{Micros: -1} // not given: by the price
	return l.fields("usage in=120 out=30, or usage none", wholeNumber,
		field{"in", &e.usage.Input}, field{"out", &e.usage.Output}, field{"micros", &e.usage.Micros})
}

func (e *entry) accountBy(l *line, a accounting) error {
	if e.account != counted {
		return l.errorf("%s: this entry has usage or overrun already; want one of them", l.word)
	}
	e.account = a
	return nil
}

// failCodes are the codes that a caller of a model must cope with.
var failCodes = []string{"provider", "timeout", "invalid", "forbidden", "not_found", "busy", "limit", "unavailable", "internal", "overloaded", "rate_limited", "too_long", "unauthorized"}

func readFail(e *entry, l *line) error {
	code, err := l.value(`a code, as in: fail provider "503 overloaded"`)
	if err != nil {
		return err
	}
	if !slices.Contains(failCodes, code) {
		return l.errorf("fail: no code %q%s", clip(code), suggest(code, failCodes))
	}
	f := fault{kind: failing, code: rein.Code(code), text: "scripted failure"}
	if l.quoted() || strings.HasPrefix(l.rest, "<<") {
		if f.text, err = l.text("a message"); err != nil {
			return err
		}
	}
	after, ok, err := l.option("after")
	if err != nil {
		return err
	}
	if ok {
		if f.after, err = time.ParseDuration(after); err != nil || f.after < 0 {
			return l.errorf("fail: after=%s: want a time such as 2s", clip(after))
		}
	}
	return e.addFault(l, f)
}

func readCut(e *entry, l *line) error {
	text, err := l.text("the text so far")
	if err != nil {
		return err
	}
	return e.addFault(l, fault{kind: cutting, text: text})
}

// addFault reads the times that every fault may have.
func (e *entry) addFault(l *line, f fault) error {
	times, ok, err := l.option("times")
	if err != nil {
		return err
	}
	if ok {
		n, good := wholeNumber(times)
		if !good || n == 0 {
			return l.errorf("%s: times=%s: want a number from 1", l.word, clip(times))
		}
		f.times = int(n)
	}
	e.faults = append(e.faults, f)
	return nil
}
