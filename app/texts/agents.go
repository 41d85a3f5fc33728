package texts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"rein/flow/kit"
)

// AgentsFile is what a folder tells whoever works in it, and AgentsRule the name of that text in a task.
const (
	AgentsFile = "AGENTS.md"
	AgentsRule = kit.RulePrefix + "AGENTS"
)

// Instructions reads the AGENTS.md of a folder that a run works in. It is a rule like one's own, and no
// more: nothing that lies in a folder takes the place of SOUL.md or of a prompt. One that cannot be used
// is left out, and the notice says why.
func Instructions(dir string) (text, notice string) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", ""
	}
	defer root.Close()
	l := &loader{root: root, texts: map[string]string{}, left: maxAll}
	text, err = l.read(AgentsFile)
	if err == nil {
		err = l.keep(AgentsRule, text)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", ""
	case err != nil:
		return "", fmt.Sprintf("%s of the folder is not used: %v", AgentsFile, plain(err))
	}
	return l.texts[AgentsRule], ""
}
