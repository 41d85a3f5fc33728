package cli

import (
	"fmt"
	"strconv"
	"strings"

	"rein/internal/near"
)

// A flagDef is one flag of a command: how it is typed, what the help says, and what it sets.
type flagDef struct {
	name  string // without --
	value string // what follows it, in the words of the help; empty: it stands alone
	does  string
	again bool // it can be given more than once
	set   func(string) error
}

// text is a flag with a value: spec is "name VALUE".
func text(to *string, spec, does string) flagDef {
	name, value, _ := strings.Cut(spec, " ")
	return flagDef{name: name, value: value, does: does, set: func(s string) error {
		*to = s
		return nil
	}}
}

// on is a flag that stands alone.
func on(to *bool, name, does string) flagDef {
	return flagDef{name: name, does: does, set: func(s string) (err error) {
		if *to, err = strconv.ParseBool(s); err != nil {
			return fmt.Errorf("it is true or false, and --%s alone is true", name)
		}
		return nil
	}}
}

// number is a flag with a whole number.
func number(to *int, spec, does string) flagDef {
	name, value, _ := strings.Cut(spec, " ")
	return flagDef{name: name, value: value, does: does, set: func(s string) (err error) {
		if *to, err = strconv.Atoi(s); err != nil {
			return fmt.Errorf("it is a whole number")
		}
		return nil
	}}
}

// list is a flag with names, with commas between them.
func list(to *[]string, spec, does string) flagDef {
	name, value, _ := strings.Cut(spec, " ")
	return flagDef{name: name, value: value, does: does, set: func(s string) error {
		for word := range strings.SplitSeq(s, ",") {
			if word = strings.TrimSpace(word); word != "" {
				*to = append(*to, word)
			}
		}
		return nil
	}}
}

// each is a list that can be given more than once.
func each(to *[]string, spec, does string) flagDef {
	f := list(to, spec, does+"; can be given more than once")
	f.again = true
	return f
}

// file is a flag with the name of a file, which can be given more than once.
func file(to *[]string, spec, does string) flagDef {
	name, value, _ := strings.Cut(spec, " ")
	return flagDef{name: name, value: value, does: does + "; can be given more than once", again: true, set: func(s string) error {
		*to = append(*to, s)
		return nil
	}}
}

// spelled is the flag as the help writes it: "--data DIR".
func (f flagDef) spelled() string { return strings.TrimSpace(f.typed() + " " + f.value) }

// typed is the flag as it is usually typed: a letter has one dash. Both are read with one and with two.
func (f flagDef) typed() string {
	if len(f.name) == 1 {
		return "-" + f.name
	}
	return "--" + f.name
}

// options are what flags say that several commands take.
type options struct {
	data       string
	configFile string
	secretKey  string
	json       bool
	long       bool // lists have whole IDs
	plain      bool // lines only, without colours

	// Settings of the runs that are started or continued.
	flow  string
	model string
	root  string
	force bool // take that root whatever it is
	vault string
	yesTo []string
	park  bool
	// foreground drives the run in this process, or in one that is there already.
	foreground bool

	listen string
}

// placeFlags say where the data and the settings are.
func placeFlags(c *call) []flagDef {
	return []flagDef{
		text(&c.data, "data DIR", "the data folder, or a database file such as a backup"),
		configFlag(c),
	}
}

func configFlag(c *call) flagDef {
	return text(&c.configFile, "config FILE", "the settings file; default: rein.toml in the config folder")
}

// keyFlag is for the commands that open a data folder and use its secrets.
func keyFlag(c *call) flagDef {
	return text(&c.secretKey, "secret-key FILE", "the key file of the secrets; default: secret.key in the data folder")
}

func jsonFlag(c *call) flagDef { return on(&c.json, "json", "print JSON, one object per line") }

func longFlag(c *call) flagDef { return on(&c.long, "long", "print whole IDs") }

// lookFlags are those of most commands.
func lookFlags(c *call) []flagDef { return append([]flagDef{jsonFlag(c)}, placeFlags(c)...) }

// rootFlags say which folders the tools see, and what they see otherwise.
func rootFlags(c *call, otherwise string) []flagDef {
	return []flagDef{
		text(&c.root, "root DIR", "let the file tools see DIR; default: "+otherwise),
		on(&c.force, "force-root", "use that folder even if it is /, a home folder, or holds the data folder"),
		vaultFlag(c),
	}
}

func vaultFlag(c *call) flagDef { return text(&c.vault, "vault DIR", "your folder of notes") }

func modelFlag(c *call) flagDef {
	return text(&c.model, "model M", "the model that answers, as rein models lists it")
}

// watchFlags are those of the commands that follow a run.
func watchFlags(c *call) []flagDef {
	return joinFlags([]flagDef{
		each(&c.yesTo, "yes-to TOOL", "run TOOL without asking for approval"),
		on(&c.park, "park", "leave what the run asks open for rein answer, and exit when it waits"),
		on(&c.foreground, "foreground", "drive the run in this process: it stops when the terminal closes"),
		jsonFlag(c),
		on(&c.plain, "plain", "print plain lines: no colours, no row that changes, only ASCII of rein's own"),
	}, rootFlags(c, "the current folder"), placeFlags(c), []flagDef{keyFlag(c)})
}

// joinFlags puts lists of flags together.
func joinFlags(lists ...[]flagDef) (all []flagDef) {
	for _, some := range lists {
		all = append(all, some...)
	}
	return all
}

// parse reads flags and arguments in any order; "--" ends the flags.
func (c *call) parse(cmd *command, args []string) (help bool, err error) {
	defs := cmd.flagsOf(c)
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			c.args, args = append(c.args, args...), nil
		case isHelp(arg):
			return true, nil
		case len(arg) < 2 || arg[0] != '-':
			c.args = append(c.args, arg)
		default:
			if args, err = setFlag(cmd, defs, arg, args); err != nil {
				return false, err
			}
		}
	}
	return false, c.count(cmd)
}

// setFlag sets the flag that arg names and returns the arguments that are left.
func setFlag(cmd *command, defs []flagDef, arg string, args []string) ([]string, error) {
	name, value, given := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
	f, err := flagNamed(cmd, defs, name)
	if err != nil {
		return nil, err
	}
	switch {
	case given:
	case f.value == "":
		value = "true"
	case len(args) > 0:
		value, args = args[0], args[1:]
	default:
		return nil, usagef("%s needs a value: %s", f.typed(), f.spelled())
	}
	if err := f.set(value); err != nil {
		return nil, usagef("%s cannot be %q: %v", f.typed(), value, err)
	}
	return args, nil
}

func flagNamed(cmd *command, defs []flagDef, name string) (flagDef, error) {
	var names []string
	for _, f := range defs {
		if f.name == name {
			return f, nil
		}
		names = append(names, f.name)
	}
	return flagDef{}, usagef("rein %s has no flag --%s%s%s", cmd.name, name, near.DidYouMean(name, names), cmd.manual())
}

// count checks how many arguments there are.
func (c *call) count(cmd *command) error {
	switch n := len(c.args); {
	case n < cmd.least:
		return usagef("rein %s needs %s%s", cmd.name, cmd.args, cmd.manual())
	case n > cmd.most:
		return usagef("rein %s does not take %q%s%s", cmd.name, c.args[cmd.most], longer(cmd.name, c.args[0]), cmd.manual())
	}
	return nil
}

// longer proposes a command whose name begins with this one and goes on like the word.
func longer(name, word string) string {
	var words []string
	for _, cmd := range commands() {
		if rest, ok := strings.CutPrefix(cmd.name, name+" "); ok {
			words = append(words, rest)
		}
	}
	return near.DidYouMean(word, words)
}
