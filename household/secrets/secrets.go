// Package secrets keeps what people type and nobody reads back: keys, passwords and tokens. A value is
// sealed with a key from a file outside the store, and bound to its household, user and name: a row that
// is moved to another owner does not open. Lists show names and times; only the parts of rein that need
// a value open it.
package secrets

import (
	"context"
	"regexp"
	"strings"
	"time"

	"rein"
)

// An Owner is whose secret it is: a user's, or the household's if User is empty.
type Owner struct{ Household, User string }

// An Entry is what is shown of a secret.
type Entry struct {
	Name    string
	Changed time.Time
	// Lost says that the key that it was sealed with is missing: it must be set again.
	Lost bool
}

// A Box keeps secrets.
type Box interface {
	// Put keeps a value under a name, in place of the one before.
	Put(ctx context.Context, o Owner, name string, value []byte) error
	// Get returns a value. One that does not exist is CodeNotFound; one that cannot be opened is
	// CodeDamaged, and the error says what to do.
	Get(ctx context.Context, o Owner, name string) ([]byte, error)
	// Delete removes a value. One that does not exist is CodeNotFound.
	Delete(ctx context.Context, o Owner, name string) error
	// Names lists the secrets of an owner by name.
	Names(ctx context.Context, o Owner) ([]Entry, error)
}

// What there is at most.
const (
	MaxValue  = 64 << 10 // bytes of a value
	maxOwned  = 100      // secrets of an owner
	reserved  = '/'      // is in the names that parts of rein use themselves, such as mcp/SERVER/token
	maxListed = 20       // names in an error
)

var nameShape = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]*(/[A-Za-z0-9][A-Za-z0-9_.-]*)*$`)

// checkName says what is wrong with a name, if anything.
func checkName(name string) error {
	if len(name) > 128 || !nameShape.MatchString(name) {
		return rein.Errorf(rein.CodeInvalid, "secret %.80q: a name has 1 to 128 letters, digits, '_', '-' and '.', with a letter or digit first", name)
	}
	return nil
}

// checkTyped is checkName for a name that a person chooses.
func checkTyped(name string) error {
	if strings.ContainsRune(name, reserved) {
		return rein.Errorf(rein.CodeInvalid, "secret %.80q: names with '/' belong to parts of rein, such as its MCP client, which set them themselves", name)
	}
	return checkName(name)
}

// checkValue says what is wrong with a value, if anything. It never shows it.
func checkValue(name string, value []byte) error {
	switch {
	case len(value) == 0:
		return rein.Errorf(rein.CodeInvalid, "secret %q: the value is empty; to remove it: rein secrets remove %s", name, name)
	case len(value) > MaxValue:
		return rein.Errorf(rein.CodeInvalid, "secret %q: the value has %d bytes; at most %d are kept", name, len(value), MaxValue)
	}
	return nil
}

func notFound(name string) error {
	return rein.Errorf(rein.CodeNotFound, "there is no secret %.80q", name)
}
