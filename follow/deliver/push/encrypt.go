package push

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"rein"
)

// A Subscription is what a browser needs to be sent to.
type Subscription struct {
	P256DH string `json:"p256dh"` // its public key, in base64url
	Auth   string `json:"auth"`   // a secret that it shares with us, in base64url
}

const (
	recordSize = 4096 // what every push service takes
	saltSize   = 16
	keySize    = 65 // of a point of P-256
	authSize   = 16
	tagSize    = 16
	// maxPayload is what fits into one record, with its header, its end and its tag.
	maxPayload = recordSize - (saltSize + 4 + 1 + keySize) - 1 - tagSize
)

// keys reads what the browser sent.
func (s Subscription) keys() (browser *ecdh.PublicKey, auth []byte, err error) {
	wrong := func(what string) error {
		return rein.Errorf(rein.CodeInvalid, "%s of the subscription is not one: send what PushSubscription.toJSON() gives", what)
	}
	point, err := base64url.DecodeString(trimmed(s.P256DH))
	if err != nil || len(point) != keySize {
		return nil, nil, wrong("keys.p256dh")
	}
	if browser, err = ecdh.P256().NewPublicKey(point); err != nil {
		return nil, nil, wrong("keys.p256dh")
	}
	if auth, err = base64url.DecodeString(trimmed(s.Auth)); err != nil || len(auth) != authSize {
		return nil, nil, wrong("keys.auth")
	}
	return browser, auth, nil
}

// trimmed is base64 without the padding that some browsers add.
func trimmed(text string) string {
	for len(text) > 0 && text[len(text)-1] == '=' {
		text = text[:len(text)-1]
	}
	return text
}

// seal encrypts a payload for a browser (RFC 8291, in the coding aes128gcm of RFC 8188). Each has a key pair and a salt of
// its own; nobody in between can read it.
func seal(s Subscription, payload []byte) ([]byte, error) {
	if len(payload) > maxPayload {
		return nil, fmt.Errorf("a push message holds %d bytes at most, not %d", maxPayload, len(payload))
	}
	browser, auth, err := s.keys()
	if err != nil {
		return nil, err
	}
	own, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	shared, err := own.ECDH(browser)
	if err != nil {
		return nil, err
	}
	salt := make([]byte, saltSize)
	rand.Read(salt)
	return sealWith(shared, auth, salt, browser.Bytes(), own.PublicKey().Bytes(), payload)
}

func sealWith(shared, auth, salt, browser, own, payload []byte) ([]byte, error) {
	info := append(append([]byte("WebPush: info\x00"), browser...), own...)
	material, err := hkdf.Key(sha256.New, shared, auth, string(info), 32)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, material, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, material, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	out := append([]byte{}, salt...)
	out = binary.BigEndian.AppendUint32(out, recordSize)
	out = append(append(out, byte(len(own))), own...)
	return aead.Seal(out, nonce, append(payload[:len(payload):len(payload)], 2), nil), nil // 2 ends the last record
}
