package cli

import (
	"flag"
	"strings"

	"rein/internal/near"
)

// options are what flags can say. Each command takes some of them.
type options struct {
	data       string
	configFile string
	session    string
	by         string
	head       string
	all        bool
	full       bool
	json       bool

	flow  string
	model string
	root  string
	force bool // take that root whatever it is
	tools words
	yesTo words
	park  bool

	listen string
	vault  string

	workspace string
	share     bool

	k       int
	inside  string // a folder of the vault
	tag     string
	explain bool
	about   string

	user   string
	scopes words
	days   int

	record string
	save   string
	at     string
	allow  words

	reason  string
	yes     bool
	no      bool
	decline bool
	shown   string
	reveal  bool
	edit    string
}

// define adds the flag of this name.
func (o *options) define(set *flag.FlagSet, name string) {
	switch name {
	case "data":
		set.StringVar(&o.data, name, "", "`DIR` is the data folder, or a database file such as a backup")
	case "config":
		set.StringVar(&o.configFile, name, "", "`FILE` has the settings, in place of rein.toml in the config folder")
	case "session":
		set.StringVar(&o.session, name, "", "`S` is the session: a conversation that holds runs")
	case "head":
		set.StringVar(&o.head, name, "", "`HASH` is what rein audit head printed: prove that all it covers is still there")
	case "by":
		set.StringVar(&o.by, name, "", "`WHAT` the sums are of: day, session, user or limit")
	case "all":
		set.BoolVar(&o.all, name, false, "all, not only the unfinished and the most recent")
	case "full":
		set.BoolVar(&o.full, name, false, "whole texts, on as many lines as they have")
	case "json":
		set.BoolVar(&o.json, name, false, "one JSON object a line")
	case "flow":
		set.StringVar(&o.flow, name, "", "`F` is the flow: how it works")
	case "model":
		set.StringVar(&o.model, name, "", "`M` is the model: who answers")
	case "listen":
		set.StringVar(&o.listen, name, "", "`ADDR` is where to listen, such as 127.0.0.1:7717")
	case "workspace":
		set.StringVar(&o.workspace, name, "", "`W` is the workspace: a folder with a name, as rein workspace list tells")
	case "share":
		set.BoolVar(&o.share, name, false, "users of the household may name it over the network")
	case "vault":
		set.StringVar(&o.vault, name, "", "`DIR` is your folder of notes")
	case "root":
		set.StringVar(&o.root, name, "", "`DIR` is the folder that the file tools may see")
	case "force-root":
		set.BoolVar(&o.force, name, false, "use that folder also if it is /, a home folder, or holds the data folder")
	case "tools":
		set.Var(&o.tools, name, "`NAMES` are the only tools it may use, with commas between them")
	case "yes-to":
		set.Var(&o.yesTo, name, "`TOOL` needs no approval; can be given again")
	case "park":
		set.BoolVar(&o.park, name, false, "leave what it asks open for rein answer, and exit when it waits")
	default:
		o.defineAnswer(set, name)
	}
}

func (o *options) defineAnswer(set *flag.FlagSet, name string) {
	switch name {
	case "k":
		set.IntVar(&o.k, name, 0, "`N` passages at most; by default 20")
	case "folder":
		set.StringVar(&o.inside, name, "", "`DIR` of the vault: only notes below it")
	case "tag":
		set.StringVar(&o.tag, name, "", "`TAG`: only notes with it, or with one below it")
	case "explain":
		set.BoolVar(&o.explain, name, false, "say why each is where it is")
	case "about":
		set.StringVar(&o.about, name, "", "`NOTE`: say where it is, or why it is not found")
	case "user":
		set.StringVar(&o.user, name, "", "`NAME` is whose token it is; by default the owner's")
	case "scopes":
		set.Var(&o.scopes, name, "`NAMES` are what it is good for: read, act, answer, admin; by default all that the user may")
	case "days":
		set.IntVar(&o.days, name, 0, "`N` days it is good; by default 90")
	case "reason":
		set.StringVar(&o.reason, name, "", "`TEXT` is kept in the log")
	case "yes":
		set.BoolVar(&o.yes, name, false, "approve it")
	case "yes ERASE": // of rein erase
		set.BoolVar(&o.yes, "yes", false, "erase without asking")
	case "no":
		set.BoolVar(&o.no, name, false, "refuse it; TEXT says why")
	case "shown":
		set.StringVar(&o.shown, name, "", "`DIGEST` of what you have seen, as it was printed with it")
	case "reveal":
		set.BoolVar(&o.reveal, name, false, "show the secrets in it, which are masked otherwise")
	case "decline":
		set.BoolVar(&o.decline, name, false, "do not answer")
	case "edit":
		set.StringVar(&o.edit, name, "", "`JSON` are the arguments to call it with instead")
	case "edit FILE": // of rein fork
		set.StringVar(&o.edit, "edit", "", "`FILE` has what the step gives instead: a text, or JSON")
	case "record":
		set.StringVar(&o.record, name, "", "`FILE` is made, with all that happened, for rein replay")
	case "save":
		set.StringVar(&o.save, name, "", "`DIR` gets the run as a file; it is not played")
	case "at":
		set.StringVar(&o.at, name, "", "`STEP` is the first step that runs again")
	case "allow":
		set.Var(&o.allow, name, "`TOOL` may change something; can be given again")
	default:
		panic("no flag " + name) // a mistake in the table of commands
	}
}

// words is a flag that can be given again, and holds words with commas between them.
type words []string

func (w *words) String() string { return strings.Join(*w, ",") }

func (w *words) Set(value string) error {
	for word := range strings.SplitSeq(value, ",") {
		if word = strings.TrimSpace(word); word != "" {
			*w = append(*w, word)
		}
	}
	return nil
}

func flagSet(o *options, names []string) *flag.FlagSet {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	for _, name := range names {
		o.define(set, name)
	}
	return set
}

// spelled is the flag as the help writes it: "--data DIR".
func spelled(name string) string {
	f := flagSet(&options{}, []string{name}).Lookup(flagName(name))
	value, _ := flag.UnquoteUsage(f)
	return strings.TrimSpace("--" + flagName(name) + " " + value)
}

// flagName is the flag as it is typed: a name in the table may say besides which of two it is.
func flagName(name string) string {
	name, _, _ = strings.Cut(name, " ")
	return name
}

// parse reads flags and arguments in any order; "--" ends the flags.
func (c *call) parse(cmd *command, args []string) (help bool, err error) {
	set := flagSet(&c.options, cmd.flags)
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
			if args, err = setFlag(cmd, set, arg, args); err != nil {
				return false, err
			}
		}
	}
	return false, c.count(cmd)
}

// setFlag sets the flag that arg names and returns the arguments that are left.
func setFlag(cmd *command, set *flag.FlagSet, arg string, args []string) ([]string, error) {
	name, value, given := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
	f := set.Lookup(name)
	if f == nil {
		return nil, usagef("rein %s has no flag --%s%s (usage: %s)", cmd.name, name, near.DidYouMean(name, cmd.flags), cmd.usage())
	}
	if !given {
		if isSwitch(f) {
			value = "true"
		} else if len(args) > 0 {
			value, args = args[0], args[1:]
		} else {
			return nil, usagef("--%s needs a value: %s", name, spelled(name))
		}
	}
	if err := f.Value.Set(value); err != nil {
		if isSwitch(f) {
			return nil, usagef("--%s cannot be %q: it is true or false, and --%s alone is true", name, value, name)
		}
		return nil, usagef("--%s cannot be %q: it is a whole number", name, value) // a text refuses nothing
	}
	return args, nil
}

// isSwitch reports whether a flag stands alone.
func isSwitch(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// count checks how many arguments there are.
func (c *call) count(cmd *command) error {
	switch n := len(c.args); {
	case n < cmd.least:
		return usagef("rein %s needs %s (usage: %s)", cmd.name, cmd.args, cmd.usage())
	case n > cmd.most:
		return usagef("rein %s does not take %q%s (usage: %s)", cmd.name, c.args[cmd.most], longer(cmd.name, c.args[0]), cmd.usage())
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
