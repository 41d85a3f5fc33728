package port

import (
	"slices"
	"strings"

	"rein"
)

// KeyedPrefix begins the IDs of runs that follow from a sender and the key of their request.
const KeyedPrefix = "k-"

// The prefixes of names that the server chooses: of sessions, which are those of a first run if it names
// none, and of the runs that a keeper and a scheduler start. Someone else could take such a name before the one whom it
// is for, and lock them out.
var (
	sessionPrefixes = []string{KeyedPrefix, "chat-", "background-", "job-"}
	runPrefixes     = slices.Concat(sessionPrefixes, []string{"m-", "s-", "d-", "j-", "jn-"})
)

// IsReserved reports whether a session has a name that only the server gives: a client may speak in it if
// it exists and is theirs, and not begin it.
func IsReserved(session string) bool { return begins(session, sessionPrefixes) }

func begins(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// CheckNewID says what is wrong with the ID that a client chose for a run, if anything.
func CheckNewID(id rein.RunID) error {
	if err := id.Check(); err != nil {
		return err
	}
	if begins(string(id), runPrefixes) {
		return rein.Errorf(rein.CodeInvalid, "run ID %q begins like an ID that the server makes (%s): choose another", string(id), strings.Join(runPrefixes, ", "))
	}
	return nil
}
