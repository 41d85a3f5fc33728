package people

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"strings"
)

// A kind of credential is told by how its text begins: KIND_ID_SECRET. The ID is no secret, and names
// the credential wherever people see it; the secret is 130 random bits, so that a plain hash of it
// tells nothing.
type kind string

const (
	tokenKind   kind = "rein"
	linkKind    kind = "reinlink"
	browserKind kind = "reinweb"
	inviteKind  kind = "reinjoin"
)

const (
	idLength     = 12
	secretLength = 26 // of rand.Text
)

// mint makes a credential and returns all of it, its ID, and the hash to keep.
func mint(k kind) (text, id string, hash []byte) {
	id = strings.ToLower(rand.Text()[:idLength])
	text = string(k) + "_" + id + "_" + strings.ToLower(rand.Text())
	return text, id, hashOf(text)
}

// hashOf is of the whole text, so that no kind of credential is good as another.
func hashOf(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// same compares hashes in a time that does not depend on them.
func same(a, b []byte) bool { return subtle.ConstantTimeCompare(a, b) == 1 }

// idOf returns the ID in a text that looks like a credential of the kind, else "".
func idOf(k kind, text string) string {
	rest, ok := strings.CutPrefix(text, string(k)+"_")
	if !ok || len(rest) != idLength+1+secretLength || rest[idLength] != '_' {
		return ""
	}
	if !isBase32(rest[:idLength]) || !isBase32(rest[idLength+1:]) {
		return ""
	}
	return rest[:idLength]
}

func isBase32(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return (c < 'a' || c > 'z') && (c < '2' || c > '7') })
}

// CSRF returns what a page sends along with requests that change something, to prove that it could
// read an answer of this server. It follows from the browser's cookie, and does not tell it.
func CSRF(cookie string) string {
	mac := hmac.New(sha256.New, []byte(cookie))
	mac.Write([]byte("csrf"))
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(mac.Sum(nil)))
}

// IsCSRF reports whether the text is the CSRF of the cookie.
func IsCSRF(cookie, text string) bool {
	return subtle.ConstantTimeCompare([]byte(CSRF(cookie)), []byte(text)) == 1
}
