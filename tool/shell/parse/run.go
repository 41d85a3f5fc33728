package parse

import (
	"path"
	"slices"
	"strings"
)

// run adds a command, and those that it runs if its arguments say which.
func (w *walker) run(p Part) {
	name := p.Name()
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
		w.hide(p, "its name is not known in advance, or not written in plain letters")
		return
	}
	base := path.Base(name)
	if len(w.via) > 2*nesting {
		w.hide(p, "too many commands run each other")
		return
	}
	if unwrap := wrapper(base); unwrap != nil {
		if base != name && base != "find" && base != "gfind" && base != "git" { // those do not vouch for what they run
			w.hide(p, "a path names another program than the one that is known")
		}
		unwrap(w, p)
		return
	}
	if why := opaqueWhy(base, p.Argv[1:]); why != "" {
		w.hide(p, why)
		return
	}
	w.add(p)
}

// hide adds a command whose effect its arguments do not say.
func (w *walker) hide(p Part, why string) {
	p.Kind, p.Why = Opaque, why
	w.add(p)
}

// inner runs what a wrapper runs, as part of it.
func (w *walker) inner(p Part, via string, argv []Word) {
	p.Argv = argv
	w.within(via, func() { w.run(p) })
}

// wrapper finds the reader of a command that runs others. It adds what is run, or an opaque part.
func wrapper(name string) func(w *walker, p Part) {
	switch name {
	case "command":
		return lookup
	case "exec":
		return execute
	case "eval":
		return evaluate
	case "time", "nohup", "setsid", "nice", "stdbuf":
		return prefix
	case "timeout":
		return timeout
	case "env":
		return environment
	case "xargs":
		return xargs
	case "find", "gfind":
		return find
	case "sudo", "doas":
		return sudo
	case "sh", "bash", "dash":
		return shell
	case "git":
		return git
	}
	if slices.Contains(strings.Fields(statefulNames), name) {
		return stateful
	}
	return nil
}

// statefulNames change what later words mean, or run a text: the rest of the line cannot be read by
// itself then. A folder that is changed at the beginning is not among them; see leadingCd.
const statefulNames = `alias unalias set shopt enable hash trap export readonly declare typeset local unset source .
	builtin read mapfile readarray getopts let cd pushd popd umask ulimit fc bind complete compgen coproc shift return logout suspend`

func stateful(w *walker, p Part) {
	w.hide(p, "it changes how the shell reads the rest")
}

// flags skips options: those that stand alone, and those that take a value. It stops at the first word
// that is no option, and fails at one that it does not know.
func flags(argv []Word, alone, valued string) (rest []Word, ok bool) {
	for len(argv) > 0 {
		a := argv[0]
		if a.Kind != Literal {
			return nil, false
		}
		if a.Text == "--" {
			return argv[1:], true
		}
		if !strings.HasPrefix(a.Text, "-") || a.Text == "-" {
			return argv, true
		}
		name, _, attached := strings.Cut(a.Text, "=")
		switch {
		case slices.Contains(strings.Fields(alone), a.Text):
			argv = argv[1:]
		case attached && strings.HasPrefix(name, "--") && slices.Contains(strings.Fields(valued), name):
			argv = argv[1:]
		case slices.Contains(strings.Fields(valued), a.Text) && len(argv) > 1 && argv[1].Kind == Literal:
			argv = argv[2:]
		case len(a.Text) > 2 && a.Text[1] != '-' && slices.Contains(strings.Fields(valued), a.Text[:2]):
			argv = argv[1:]
		default:
			return nil, false
		}
	}
	return nil, true
}

// prefix unwraps commands that are followed by the command that they run.
func prefix(w *walker, p Part) {
	alone, valued := "", ""
	name := path.Base(p.Name())
	switch name {
	case "time", "command":
		alone = "-p"
	case "setsid":
		alone = "-c -f -w --ctty --fork --wait"
	case "nice":
		valued = "-n --adjustment"
	case "stdbuf":
		valued = "-i -o -e"
	}
	rest, ok := flags(p.Argv[1:], alone, valued)
	if !ok || len(rest) == 0 {
		w.hide(p, "its options are not read")
		return
	}
	w.inner(p, name, rest)
}

func timeout(w *walker, p Part) {
	rest, ok := flags(p.Argv[1:], "--foreground --preserve-status -v --verbose", "-k --kill-after -s --signal")
	if !ok || len(rest) < 2 || rest[0].Kind != Literal || rest[0].Text == "" || strings.Trim(rest[0].Text, "0123456789.smhd") != "" {
		w.hide(p, "its options are not read")
		return
	}
	w.inner(p, "timeout", rest[1:])
}

// lookup reads "command -v name", which only looks, and "command name", which runs it.
func lookup(w *walker, p Part) {
	if len(p.Argv) > 1 && (p.Argv[1].Text == "-v" || p.Argv[1].Text == "-V") && p.Argv[1].Kind == Literal {
		w.add(p)
		return
	}
	prefix(w, p)
}

func execute(w *walker, p Part) {
	if len(p.Argv) == 1 {
		stateful(w, p)
		return
	}
	prefix(w, p)
}

func environment(w *walker, p Part) {
	rest, ok := flags(p.Argv[1:], "-i --ignore-environment", "-u --unset")
	for ok && len(rest) > 0 && rest[0].Kind == Literal && strings.Contains(rest[0].Text, "=") {
		name, value, _ := strings.Cut(rest[0].Text, "=")
		p.Env = append(slices.Clone(p.Env), Variable{name, Word{Text: value, Start: rest[0].Start, End: rest[0].End}})
		rest = rest[1:]
	}
	switch {
	case !ok:
		w.hide(p, "its options are not read")
	case len(rest) == 0:
		w.add(p)
	default:
		w.inner(p, "env", rest)
	}
}

// unknownRest stands for arguments that come from elsewhere.
var unknownRest = Word{Text: "…", Kind: Unknown}

func xargs(w *walker, p Part) {
	const alone = "-0 --null -r --no-run-if-empty -t --verbose -x --exit"
	rest, ok := flags(p.Argv[1:], alone, "-n --max-args -P --max-procs -L --max-lines -d --delimiter -s --max-chars -I -a --arg-file")
	if !ok {
		w.hide(p, "its options are not read")
		return
	}
	w.hide(p, "it adds arguments that it reads")
	if len(rest) > 0 {
		inner := p
		inner.Kind, inner.Why = Command, ""
		w.inner(inner, "xargs", append(slices.Clone(rest), unknownRest))
	}
}

// find adds the search itself and, for those who deny them, the commands that it runs.
func find(w *walker, p Part) {
	w.add(p)
	for i := 1; i < len(p.Argv); i++ {
		switch p.Argv[i].Text {
		case "-exec", "-execdir", "-ok", "-okdir":
		default:
			continue
		}
		action := p.Argv[i].Text
		var argv []Word
		for i++; i < len(p.Argv) && p.Argv[i].Text != ";" && p.Argv[i].Text != "+"; i++ {
			word := p.Argv[i]
			if strings.Contains(word.Text, "{}") {
				word.Kind = Unknown
			}
			argv = append(argv, word)
		}
		if len(argv) > 0 {
			w.inner(p, "find "+action, argv)
		}
	}
}

// sudo is always opaque; what it runs is added for those who deny it.
func sudo(w *walker, p Part) {
	w.hide(p, "it runs as another user")
	rest, ok := flags(p.Argv[1:], "-n -E -H -S -k -b -i -s --non-interactive", "-u --user -g --group -p -C -h -r -t")
	for ok && len(rest) > 0 && rest[0].Kind == Literal && strings.Contains(rest[0].Text, "=") {
		rest = rest[1:]
	}
	if ok && len(rest) > 0 {
		inner := p
		inner.Kind, inner.Why = Command, ""
		w.inner(inner, path.Base(p.Name()), rest)
	}
}

// shell reads the text after -c. A shell that runs a file, or what it reads, is opaque.
func shell(w *walker, p Part) {
	argv := p.Argv[1:]
	if len(argv) == 1 && argv[0].Kind == Literal && argv[0].Text == "--version" {
		w.add(p)
		return
	}
	if len(argv) != 2 || argv[0].Kind != Literal || argv[1].Kind != Literal || !slices.Contains([]string{"-c", "-ec", "-ce", "-euc", "-uc"}, argv[0].Text) {
		w.hide(p, "it runs a script that is not part of the line, or in a way that is not read")
		return
	}
	if len(p.Env) > 0 {
		w.hide(p, "variables are set for a shell")
		return
	}
	w.runText(p, p.Name()+" -c", argv[1].Text)
}

func evaluate(w *walker, p Part) {
	if !p.IsKnown() || len(p.Env) > 0 || len(p.Argv) < 2 || strings.HasPrefix(p.Argv[1].Text, "-") {
		w.hide(p, "the text that it runs is not known in advance")
		return
	}
	var texts []string
	for _, a := range p.Argv[1:] {
		texts = append(texts, a.Text)
	}
	w.runText(p, "eval", strings.Join(texts, " "))
}

// runText reads a text that a command runs.
func (w *walker) runText(p Part, via, text string) {
	if w.depth >= nesting {
		w.hide(p, "texts that run texts are nested too deeply")
		return
	}
	parts, err := read(text, w.variant, w.depth+1)
	if err != nil {
		w.hide(p, "the text that it runs is not valid")
	}
	w.within(via, func() {
		for _, inner := range parts {
			w.add(inner)
			w.parts[len(w.parts)-1].Nested = true
		}
	})
}
