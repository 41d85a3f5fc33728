package api

import (
	"strconv"
	"strings"
	"time"
)

// TrustState says whether what a folder brings is used.
type TrustState string

const (
	TrustNothing   TrustState = "nothing"   // the folder brings nothing
	TrustTrusted   TrustState = "trusted"   // somebody trusts exactly what is there
	TrustUntrusted TrustState = "untrusted" // nobody has decided about it
	TrustChanged   TrustState = "changed"   // somebody trusted something else there
	TrustDeclined  TrustState = "declined"  // somebody decided not to trust it
)

// Trust is what the folder of a workspace brings (instructions, rules, skills, commands, MCP servers), and whether
// somebody trusts it. Unless it is trusted, none of it runs or is obeyed.
type Trust struct {
	Workspace string     `json:"workspace"`
	Folder    string     `json:"folder,omitempty"` // where in the workspace somebody works; empty: in its root
	State     TrustState `json:"state"`
	// Hash names exactly this content. Repeat it to trust the folder.
	Hash    string        `json:"hash,omitempty"`
	Files   []BroughtFile `json:"files"`
	Changed []string      `json:"changed,omitempty"` // what is different since somebody trusted the folder
	// Problems says what cannot be used, and why.
	Problems []string  `json:"problems,omitempty"`
	By       string    `json:"by,omitempty"` // who decided
	At       time.Time `json:"at,omitzero"`  // when they did
}

// A BroughtFile is a file that a folder brings.
type BroughtFile struct {
	Path string `json:"path"` // in the workspace
	Kind string `json:"kind"` // instructions, rule, skill, program, command or mcp servers
	Sum  string `json:"sum"`  // its SHA-256
	Size int    `json:"size"`
	Head string `json:"head,omitempty"` // how the text begins; only for admins
}

// NewTrust is the body of POST /v1/workspaces/{name}/trust.
type NewTrust struct {
	Folder string `json:"folder,omitempty"` // where in the workspace somebody works
	Hash   string `json:"hash"`             // of what was shown; if the folder has changed since, nothing is decided
	// Decline records that you do not trust the content. rein does not ask about it again.
	Decline bool `json:"decline,omitempty"`
}

// TrustedFolders is the answer to GET /v1/trust.
type TrustedFolders struct {
	Folders []TrustedFolder `json:"folders"`
}

// A TrustedFolder is a folder that somebody trusts.
type TrustedFolder struct {
	ID     string    `json:"id"`
	Root   string    `json:"root"`             // the folder of the workspace
	Folder string    `json:"folder,omitempty"` // where in it somebody worked
	Hash   string    `json:"hash"`             // of what it brought then
	Files  int       `json:"files"`            // how many files that was
	By     string    `json:"by"`
	At     time.Time `json:"at"`
}

// SlashCommands is the answer to GET /v1/workspaces/{name}/commands.
type SlashCommands struct {
	Commands []SlashCommand `json:"commands"`
}

// A SlashCommand is a task that /NAME stands for.
type SlashCommand struct {
	Name  string `json:"name"`
	About string `json:"about,omitempty"` // what it is for, in one line
	Hint  string `json:"hint,omitempty"`  // what can follow the name
	From  string `json:"from"`            // user, or workspace
	Inert bool   `json:"inert,omitempty"` // nobody trusts the folder that it comes from, so it has no text
	Text  string `json:"text,omitempty"`
}

// SplitCommand splits what somebody typed into the name of a command and what follows it. It is not ok if the text does
// not begin with a slash and a name: "/etc/fstab is wrong" is a task like any other.
func SplitCommand(typed string) (name, args string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(typed), "/")
	name, args, _ = strings.Cut(strings.ReplaceAll(rest, "\n", " \n"), " ")
	if !ok || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") != "" {
		return "", "", false
	}
	return name, strings.TrimSpace(strings.ReplaceAll(args, " \n", "\n")), true
}

// Expand is the task that the command stands for: its text with $ARGUMENTS replaced by what follows the name, and $1 to $9
// by its words. A text without any of them has it appended. What is filled in is not looked at again.
func (c SlashCommand) Expand(args string) string {
	words := strings.Fields(args)
	filled, has := []string{"$ARGUMENTS", args}, strings.Contains(c.Text, "$ARGUMENTS")
	for i := range 9 {
		name, word := "$"+strconv.Itoa(i+1), ""
		if i < len(words) {
			word = words[i]
		}
		filled, has = append(filled, name, word), has || strings.Contains(c.Text, name)
	}
	if !has {
		return strings.TrimSpace(c.Text + "\n\n" + args)
	}
	return strings.NewReplacer(filled...).Replace(c.Text)
}
