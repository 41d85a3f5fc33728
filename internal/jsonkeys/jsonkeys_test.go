package jsonkeys_test

import (
	"testing"

	"rein/internal/jsonkeys"
)

func TestTwice(t *testing.T) {
	for json, want := range map[string]string{
		`{"state":"rejected","state":"approved"}`:         "state",
		`{"approved":true,"APPROVED":false}`:              "APPROVED",
		`{"a":{"b":[{"c":1},{"c":2,"d":[],"c":3}]}}`:      "c",
		`{"a":1,"\u0061":2}`:                              "a",
		`{"a":"b","b":"a","c":{"a":1},"d":["a","a"]}`:     "",
		`{"a":{},"b":[],"c":null,"d":[[],{}],"e":"e"}`:    "",
		`["a","a",{"a":"a"}]`:                             "",
		`"a"`:                                             "",
		`{"a":1,`:                                         "",
		`{"a":1}{"a":1}`:                                  "",
		`{"a":[{"x":1}],"b":{"x":{"x":{"x":1,"y":"x"}}}}`: "",
	} {
		if key, twice := jsonkeys.Twice([]byte(json)); key != want || twice != (want != "") {
			t.Errorf("%s: %q, %v", json, key, twice)
		}
	}
}
