package script_test

import (
	"strings"
	"testing"

	"rein"
	"rein/model/script"
)

// Each bad line is refused with its place, what is wrong and what would be right.
func TestParseErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "# nothing\n", "t:2: the script answers nothing; want an entry such as: turn 1"},
		{"unknown directive", "turn 1\nsya hi", `t:2: no directive "sya"; did you mean "say"?`},
		{"far from any", "turn 1\nxylophone", `t:2: no directive "xylophone"; want one of call, cut, drip,`},
		{"underscore", "turn 1\nwrong_tool x", `did you mean "wrong-tool"?`},
		{"turn with =", "turn=1\nsay hi", `t:1: no directive "turn=1"; did you mean "turn"?`},
		{"before an entry", "say hi", "t:1: say belongs to an entry; begin one with: turn 1"},
		{"nothing to do", "turn 1\nslow 1s\n\nturn 2\nsay hi", "t:1: turn 1: the entry does nothing; add say"},
		{"nothing to do at the end", "turn 1\nsay hi\nturn 2", "t:3: turn 2: the entry does nothing"},
		{"turn without number", "turn\nsay hi", "t:1: turn: want the number of the turn, as in: turn 1"},
		{"turn zero", "turn 0\nsay hi", "t:1: turn=0: counting starts at 1"},
		{"turn word", "turn one\nsay hi", "t:1: turn=one: want a number like 3, or a range"},
		{"empty range", "when turn=4..2\nsay hi", "no number is from 4 to 2; want 2..4"},
		{"open range both", "when turn=..\nsay hi", "want a number like 3, or a range"},
		{"unknown condition", "when phsae=x\nsay hi", `t:1: no condition "phsae"; did you mean "phase"?`},
		{"not a condition", "when decide\nsay hi", `t:1: "decide" is not a condition; want phase=NAME`},
		{"value missing", "when phase= turn=1\nsay hi", "t:1: phase=: want a value right after it"},
		{"search in a name", "when phase~dec\nsay hi", "t:1: phase~dec: ~ searches in texts; use phase=dec"},
		{"flag", "when closing=true\nsay hi", "t:1: closing=true: want yes or no"},
		{"nth twice", "when nth=1 nth=2\nsay hi", "an entry has at most one nth"},
		{"nth not", "when nth!=1\nsay hi", "an entry has at most one nth, written nth=N"},
		{"nth zero", "when nth=0\nsay hi", "counting starts at 1"},
		{"open string", `when last~"err` + "\nsay hi", "is not a whole string; close it with \""},
		{"glued string", `when last~"a"b` + "\nsay hi", `want a blank after "a"`},
		{"comment on a line", "when phase=a # why\nsay hi", "t:1: when: \"# why\" is too much; a comment has a line of its own"},
		{"header below", "turn 1\nsay hi\nwindow 5", "t:3: window describes the model and belongs above the first entry (line 1)"},
		{"header twice", "window 5\nwindow 6", "t:2: a second window; want one"},
		{"window", "window many", `t:1: window: "many" is not a number of tokens from 1 to 1000000000`},
		{"window more", "window 5 6", `t:1: window: "6" is too much`},
		{"model", "model", "t:1: model: want the model's name"},
		{"price", "price 3", `price: "3" is not one of its numbers; want price in=3.00 out=15.00`},
		{"price negative", "price in=-3", "price: in=-3 is given twice or is not a number"},
		{"price nan", "price in=NaN", "price: in=NaN is given twice or is not a number"},
		{"call without name", "turn 1\ncall", `t:2: call: want a tool's name, as in: call search {"q":"rein"}`},
		{"call not JSON", `turn 1` + "\n" + `call a {"q":`, `t:2: call: {"q": is not JSON (unexpected EOF); for arguments that are not, use malformed`},
		{"call not JSON below", "turn 1\ncall a <<E\n{\nE", "t:2: call: the text is not JSON"},
		{"call two JSON", "turn 1\ncall a {} {}", `t:2: call: "{}" is too much`},
		{"call same id", "turn 1\ncall a id=x\ncall b id=x", "t:3: call: a second call with id=x in this reply"},
		{"call empty id", "turn 1\ncall a id=\"\"", "t:2: call: the id is empty"},
		{"malformed JSON", "turn 1\nmalformed a `{}`", "t:2: malformed: {} is JSON; want something broken, or use call"},
		{"malformed bare", "turn 1\nmalformed a {", "t:2: malformed: want arguments in quotes"},
		{"heredoc open", "turn 1\nsay <<END\nhi", `t:2: say <<END: no line "END" ends the text`},
		{"heredoc no word", "turn 1\nsay <<", "t:2: say <<: want a word that will end the text"},
		{"heredoc with more", "turn 1\ncall a <<END id=1\n{}\nEND", `t:2: call: <<END must end its line; put "id=1" before it`},
		{"usage", "turn 1\nsay hi\nusage 5", "t:3: usage: \"5\" is not one of its numbers; want usage in=120 out=30"},
		{"usage nothing", "turn 1\nsay hi\nusage", "t:3: usage: want usage in=120 out=30, or usage none"},
		{"usage twice", "turn 1\nsay hi\nusage none\noverrun", "t:4: overrun: this entry has usage or overrun already"},
		{"usage same", "turn 1\nsay hi\nusage in=1 in=2", "usage: in=2 is given twice"},
		{"slow", "turn 1\nsay hi\nslow 5", `t:3: slow: "5" is not a time; want one like 200ms`},
		{"slow twice", "turn 1\nsay hi\nslow 5s\nslow 5s", "t:4: a second slow"},
		{"fail code", "turn 1\nfail providr", `t:2: fail: no code "providr"; did you mean "provider"?`},
		{"fail without code", "turn 1\nfail", `t:2: fail: want a code, as in: fail provider "503 overloaded"`},
		{"fail bare message", "turn 1\nfail provider overloaded", `t:2: fail: "overloaded" is too much`},
		{"times", "turn 1\nfail provider times=0", "t:2: fail: times=0: want a number from 1"},
		{"cut", "turn 1\ncut some", "t:2: cut: want the text so far in quotes"},
		{"say after hang", "turn 1\nhang\nsay hi", "t:3: the fault in this entry takes every attempt, so there is no other ending; give it times=N"},
		{"hang after say", "turn 1\nsay hi\nhang", "t:3: the fault in this entry takes every attempt"},
		{"same twice", "turn 1\nsay a\nwhen turn=1\nsay b", "t:3: never reached: line 1 answers every call that this entry would"},
		{"wider above", "when phase=a\nsay a\nwhen turn=1 phase=a\nsay b", "t:3: never reached: line 1"},
		{"all above", "when\nsay a\nturn 1\nsay b", "t:3: never reached: line 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := script.Parse("t", []byte(tt.text))
			if rein.CodeOf(err) != rein.CodeInvalid {
				t.Fatalf("error is %v, want one with CodeInvalid", err)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is\n  %v\nwant in it\n  %s", err, tt.want)
			}
		})
	}
}

func TestHeader(t *testing.T) {
	m := parse(t, "model tiny\nwindow 8000\nmax_output 1000\nprice in=3.00 out=15.5\n\nturn 1\nsay hi")
	want := rein.ModelInfo{Name: "tiny", Window: 8000, MaxOutput: 1000, InputMicros: 3_000_000, OutputMicros: 15_500_000}
	if got := m.Info(); got != want {
		t.Errorf("Info is %+v, want %+v", got, want)
	}
	if got := parse(t, "turn 1\nsay hi").Info(); got != (rein.ModelInfo{Name: "script"}) {
		t.Errorf("Info without a header is %+v", got)
	}
}

func TestReadFile(t *testing.T) {
	if _, err := script.ReadFile("testdata/none.txt"); rein.CodeOf(err) != rein.CodeInvalid {
		t.Errorf("reading a file that is not there: %v", err)
	}
	m, err := script.ReadFile("testdata/search.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(m.Unused(), "\n"), "search.txt:4: turn 1 phase=decide"; !strings.HasPrefix(got, want) {
		t.Errorf("Unused is %q, want it to begin with %q", got, want)
	}
}
