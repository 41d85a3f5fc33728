package anthropic

import (
	"regexp"

	"rein"
	"rein/internal/digest"
	"rein/internal/toolname"
)

// maxName is how long a tool's name may be at every server of this API.
const maxName = 64

var (
	goodName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	goodID   = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	badChars = regexp.MustCompile(`[^A-Za-z0-9_-]+`)
)

// wireName returns a name that the API takes: the same, one with dashes for its dots or, for what
// models make up, one that reads like it with a digest of it at the end. It depends on nothing else,
// so a conversation keeps its names.
func wireName(name string) string {
	switch {
	case goodName.MatchString(name):
		return name
	case toolname.Good(name):
		return toolname.Wire(name)
	}
	return digested(name, maxName)
}

// wireID does the same for the ID of a call.
func wireID(id string) string {
	if goodID.MatchString(id) {
		return id
	}
	return digested(id, maxName)
}

func digested(name string, most int) string {
	end := "_" + digest.Joined(4, name)
	plain := badChars.ReplaceAllString(name, "_")
	return plain[:min(len(plain), most-len(end))] + end
}

// A nameTable knows the tools of a request by the names that they have there.
type nameTable map[string]string

// newNames collects the tools that a request offers or has used.
func newNames(offered []rein.Tool, called []string) (nameTable, error) {
	names := nameTable{}
	for _, tool := range offered {
		wire := wireName(tool.Name)
		if other, taken := names[wire]; taken {
			return nil, rein.Errorf(rein.CodeInvalid, "tools %q and %q have the same name for the model: rename one", other, tool.Name)
		}
		names[wire] = tool.Name
	}
	for _, name := range called {
		if wire := wireName(name); names[wire] == "" {
			names[wire] = name
		}
	}
	return names, nil
}

// back returns the name of the tool that the model calls. One that is not there stays as it is.
func (n nameTable) back(wire string) string {
	if name, ok := n[wire]; ok {
		return name
	}
	return wire
}
