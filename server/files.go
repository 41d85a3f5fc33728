package server

import (
	"context"
	"io"
	"mime"
	"net/http"
	"net/url"
	"time"

	"rein"
	"rein/api"
	"rein/household/shelf"
	"rein/server/wire"
)

// place returns the shelf of a session that the sender may see. A session begins with its first run;
// what is brought before waits for it.
func (s *server) place(ctx context.Context, r *http.Request, who rein.Identity, change bool) (rein.Place, error) {
	id := r.PathValue("id")
	if err := checkSession(id); err != nil {
		return rein.Place{}, err
	}
	user, err := s.sessionOf(ctx, id, who)
	switch {
	case rein.CodeOf(err) == rein.CodeNotFound: // a new one, or another's: a place of the sender's own
		user = who.User
	case err != nil:
		return rein.Place{}, err
	case change && user != who.User:
		return rein.Place{}, rein.Errorf(rein.CodeForbidden, "session %.100q belongs to %s: you may read its files, but not change them", id, user)
	}
	return rein.Place{Household: who.Household, User: user, Session: id}, nil
}

// withShelf is do for a server that keeps files.
func (s *server) withShelf(do handler) handler {
	if s.Shelf != nil {
		return do
	}
	return func(http.ResponseWriter, *http.Request, rein.Identity) error {
		return rein.Errorf(rein.CodeUnavailable, "this process does not keep files of sessions")
	}
}

func (s *server) listFiles(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	place, err := s.place(r.Context(), r, who, false)
	if err != nil {
		return err
	}
	files, err := s.Shelf.List(r.Context(), place)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Files{Files: append([]rein.File{}, files...)})
}

// putFile keeps what the body is as a file of the session.
func (s *server) putFile(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	place, err := s.place(r.Context(), r, who, true)
	if err != nil {
		return err
	}
	body := http.MaxBytesReader(wire.Bare(w), r.Body, shelf.MaxFile+1)
	file, err := s.Shelf.Put(r.Context(), place, r.PathValue("name"), r.Header.Get("Content-Type"), sized{body, int(r.ContentLength)})
	if rein.CodeOf(err) == rein.CodeLimit {
		return wire.Refuse(http.StatusRequestEntityTooLarge, err)
	}
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, file)
}

// sized is a body whose length its sender has told.
type sized struct {
	io.Reader
	length int
}

func (s sized) Len() int { return s.length }

// readFile sends a file as it is, never as something that a browser would run.
func (s *server) readFile(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	place, err := s.place(r.Context(), r, who, false)
	if err != nil {
		return err
	}
	content, err := s.Shelf.Open(r.Context(), place, r.PathValue("name"))
	if err != nil {
		return err
	}
	file, h := content.File, w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": file.Name}))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", `"`+file.SHA256+`"`)
	h.Set("X-File-Type", url.PathEscape(file.Type))
	http.ServeContent(w, r, "", file.Changed.Truncate(time.Second), content)
	return nil
}

func (s *server) deleteFile(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	place, err := s.place(r.Context(), r, who, true)
	if err != nil {
		return err
	}
	if err := s.Shelf.Delete(r.Context(), place, r.PathValue("name")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
