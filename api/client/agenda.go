package client

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"rein/api"
)

// Agenda returns what happens between two times, written such as 2026-11-24. Empty ones are now and 7 days later.
func (c *Client) Agenda(ctx context.Context, from, to string) (found api.Agenda, err error) {
	query := values{}
	query.set("from", from)
	query.set("to", to)
	return found, c.do(ctx, http.MethodGet, "/v1/agenda/events", query, nil, &found)
}

// AgendaEvent returns an event.
func (c *Client) AgendaEvent(ctx context.Context, id string) (e api.AgendaEvent, err error) {
	return e, c.do(ctx, http.MethodGet, eventPath(id), nil, nil, &e)
}

// AddAgendaEvent adds an event to your agenda.
func (c *Client) AddAgendaEvent(ctx context.Context, e api.NewAgendaEvent) (written api.WrittenAgendaEvent, err error) {
	return written, c.do(ctx, http.MethodPost, "/v1/agenda/events", nil, e, &written)
}

// ChangeAgendaEvent changes an event of yours.
func (c *Client) ChangeAgendaEvent(ctx context.Context, id string, edit api.AgendaEventEdit) (written api.WrittenAgendaEvent, err error) {
	return written, c.do(ctx, http.MethodPatch, eventPath(id), nil, edit, &written)
}

// DeleteAgendaEvent deletes an event of yours, or the occurrences of it that scope means: one, following or all.
func (c *Client) DeleteAgendaEvent(ctx context.Context, id, scope, occurrence, version string) error {
	query := values{}
	query.set("scope", scope)
	query.set("occurrence", occurrence)
	query.set("version", version)
	return c.do(ctx, http.MethodDelete, eventPath(id), query, nil, nil)
}

func eventPath(id string) string { return "/v1/agenda/events/" + url.PathEscape(id) }

// FreeTime returns times at which nothing is in your agenda.
func (c *Client) FreeTime(ctx context.Context, q api.AgendaFreeQuery) ([]api.AgendaSlot, error) {
	query := values{}
	for name, value := range map[string]string{
		"from": q.From, "to": q.To, "day_start": q.DayStart, "day_end": q.DayEnd, "days": strings.Join(q.Days, ","), "with": strings.Join(q.With, ","),
	} {
		query.set(name, value)
	}
	for name, n := range map[string]int{"minutes": q.Minutes, "limit": q.Limit} {
		if n != 0 {
			query.set(name, strconv.Itoa(n))
		}
	}
	var found api.AgendaFree
	err := c.do(ctx, http.MethodGet, "/v1/agenda/free", query, nil, &found)
	return found.Free, err
}

// ImportAgenda adds the events of an iCalendar file to your agenda.
func (c *Client) ImportAgenda(ctx context.Context, file []byte) (done api.AgendaImport, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := c.sendBody(ctx, http.MethodPost, "/v1/agenda/import", nil, "text/calendar", bytes.NewReader(file), "application/json")
	if err != nil {
		return done, err
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(io.LimitReader(answer.Body, maxAnswer)).Decode(&done); err != nil {
		return done, c.failure(ctx, err)
	}
	return done, nil
}

// ExportAgenda returns your events as an iCalendar file.
func (c *Client) ExportAgenda(ctx context.Context) ([]byte, error) {
	return c.content(ctx, "/v1/agenda/export")
}

// AgendaFeed returns since when other programs can read your agenda.
func (c *Client) AgendaFeed(ctx context.Context) (f api.AgendaFeed, err error) {
	return f, c.do(ctx, http.MethodGet, "/v1/agenda/feed", nil, nil, &f)
}

// NewAgendaFeed creates the address at which other programs read your agenda.
func (c *Client) NewAgendaFeed(ctx context.Context) (f api.AgendaFeed, err error) {
	return f, c.do(ctx, http.MethodPost, "/v1/agenda/feed", nil, nil, &f)
}

// EndAgendaFeed revokes that address.
func (c *Client) EndAgendaFeed(ctx context.Context) error {
	return c.do(ctx, http.MethodDelete, "/v1/agenda/feed", nil, nil, nil)
}
