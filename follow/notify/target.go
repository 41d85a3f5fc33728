package notify

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"

	"rein"
	"rein/internal/digest"
	"rein/internal/outbound"
)

// Events lists what there is to be told.
func Events() []rein.WebhookEvent {
	return []rein.WebhookEvent{rein.WebhookAskOpened, rein.WebhookAskClosed, rein.WebhookRunEnded}
}

// A Target is one webhook.
type Target struct {
	Name   string              // 1 to 64 letters, digits, '_' and '-'
	URL    string              // https, unless it is private
	Secret func() string       // what deliveries are signed with, of at least 16 bytes; it is never kept
	Events []rein.WebhookEvent // nil means ask.opened
	// Household and User bound what it is told: only what is theirs. Empty means everything.
	Household, User string
	// Private says that the target is one of our own network: it may have an address that the internet
	// does not reach, and be spoken to without TLS.
	Private bool
	// Content says that the target may read what runs are about: the text of questions, their choices,
	// and titles. Without it, it learns only that something waits, and where.
	Content bool
}

const leastSecret = 16

var nameShape = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// check says what is wrong with the target, if anything. Errors do not repeat the URL, whose path may
// be a secret.
func (t Target) check() (*url.URL, error) {
	if !nameShape.MatchString(t.Name) {
		return nil, rein.Errorf(rein.CodeInvalid, "webhook name %.80q must be 1 to 64 letters, digits, '_' or '-'", t.Name)
	}
	for _, e := range t.Events {
		if !slices.Contains(Events(), e) {
			return nil, t.wrong("event %.40q must be one of %v", string(e), Events())
		}
	}
	if t.Secret == nil || len(t.Secret()) < leastSecret {
		return nil, t.wrong("its secret must have at least %d bytes: put a random one into the environment", leastSecret)
	}
	address, err := url.Parse(t.URL)
	if err != nil || address.Host == "" || address.Hostname() == "" {
		return nil, t.wrong("its URL is none: write https://host/path")
	}
	switch {
	case address.Scheme != "https" && address.Scheme != "http":
		return nil, t.wrong("its URL begins with %.20q: write https://host/path", address.Scheme)
	case address.Scheme == "http" && !t.Private:
		return nil, t.wrong("its URL must begin with https: only a private target may do without")
	case address.User != nil:
		return nil, t.wrong("its URL must not hold a user or a password: deliveries are signed")
	case address.Fragment != "":
		return nil, t.wrong("its URL must not have a fragment")
	}
	if literal, err := netip.ParseAddr(address.Hostname()); err == nil && !t.Private && !outbound.IsPublic(literal) {
		return nil, t.wrong("%s is not an address of the internet: mark the target as private if it is meant", literal)
	}
	return address, nil
}

func (t Target) wrong(format string, args ...any) error {
	return rein.Errorf(rein.CodeInvalid, "webhook %q: "+format, append([]any{t.Name}, args...)...)
}

// wants reports whether the target is to be told of the event, if it is of this user.
func (t Target) wants(e rein.WebhookEvent, household, user string) bool {
	return t.listens(e) && (t.Household == "" || t.Household == household) && (t.User == "" || t.User == user)
}

func (t Target) listens(e rein.WebhookEvent) bool {
	if t.Events == nil {
		return e == rein.WebhookAskOpened
	}
	return slices.Contains(t.Events, e)
}

// deliveryID is the same whoever makes it and however often, so that a receiver can tell what it has
// had before.
func (t Target) deliveryID(e rein.WebhookEvent, run rein.RunID, ask rein.AskID) string {
	return digest.Joined(16, t.Name, string(e), string(run), string(ask))
}
