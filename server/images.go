package server

import (
	"bytes"
	"net/http"
	"time"

	"rein"
	"rein/internal/picture"
)

// readImage sends an image that the log of a run names. It sends nothing else that is kept by its hash: texts are
// shown in events, without the secrets in them.
func (s *server) readImage(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	info, err := s.run(r.Context(), rein.RunID(r.PathValue("id")), who)
	if err != nil {
		return err
	}
	var hash rein.Hash
	if err := hash.UnmarshalText([]byte(r.PathValue("sha256"))); err != nil {
		return rein.Errorf(rein.CodeInvalid, "%w: use the sha256 of an image of the run", err)
	}
	data, err := s.Store.Kept(r.Context(), info.ID, hash)
	kind := picture.Kind(data)
	if err == nil && kind == "" {
		err = rein.Errorf(rein.CodeNotFound, "run %s has no image %s", info.ID, hash)
	}
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", `"`+hash.String()+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	return nil
}
