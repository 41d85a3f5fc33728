package secrets

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// keySize is that of AES-256.
const keySize = 32

// A key seals and opens values.
type key struct {
	id     string // names the key in rows; nothing of the key can be told from it
	secret [keySize]byte
}

func newKey() key {
	var secret [keySize]byte
	rand.Read(secret[:])
	return keyOf(secret)
}

func keyOf(secret [keySize]byte) key {
	sum := sha256.Sum256(append([]byte("rein secret key\x00"), secret[:]...))
	return key{id: hex.EncodeToString(sum[:6]), secret: secret}
}

// parseKey reads a line of a key file: 32 bytes in base64.
func parseKey(line string) (key, error) {
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding} {
		if data, err := encoding.DecodeString(line); err == nil && len(data) == keySize {
			return keyOf([keySize]byte(data)), nil
		}
	}
	return key{}, fmt.Errorf("is not a key: a key is %d random bytes in base64", keySize)
}

func (k key) line() string { return base64.StdEncoding.EncodeToString(k.secret[:]) + "\n" }

// seal encrypts a value for one owner and name, with AES-256-GCM and a random nonce.
func (k key) seal(o Owner, name string, value []byte) ([]byte, error) {
	aead, err := k.aead()
	if err != nil {
		return nil, err
	}
	return aead.Seal(nil, nil, value, bound(o, name)), nil
}

// open decrypts a value that was sealed for this owner and name, and for no other.
func (k key) open(o Owner, name string, sealed []byte) ([]byte, error) {
	aead, err := k.aead()
	if err != nil {
		return nil, err
	}
	return aead.Open(nil, nil, sealed, bound(o, name))
}

func (k key) aead() (cipher.AEAD, error) {
	block, err := aes.NewCipher(k.secret[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// bound is what a sealed value belongs to. Each part has its length before it, so that no two owners
// and names are written alike.
func bound(o Owner, name string) []byte {
	var b []byte
	for _, part := range []string{"rein secret 1", o.Household, o.User, name} {
		b = binary.AppendUvarint(b, uint64(len(part)))
		b = append(b, part...)
	}
	return b
}
