package app

import (
	"context"
	"os"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/household/channels"
	"rein/household/page"
	"rein/household/people"
	"rein/household/post"
	"rein/household/shelf"
	"rein/journal/feed"
	"rein/server"
	"rein/store"
)

// A View answers questions about a data folder through the API, without opening it for writing: beside the
// process that owns it, in a folder that cannot be written, or in a backup. It shows what an owner of the
// household may see, with secrets masked.
type View struct {
	*client.Client
	Place
	data *Data
	feed *feed.Feed
}

// Look opens a View. A *NoDataError says that there is no data.
func (s *Setup) Look(ctx context.Context) (*View, error) {
	d, err := s.Read(ctx)
	if err != nil {
		return nil, err
	}
	v := &View{Place: d.Place, data: d, feed: feed.New(d.seen)}
	options := server.Options{
		Store: d.seen, Feed: v.feed, Who: server.Host, People: &people.People{Tables: d.Store}, Secrets: d.known.box,
		Page: &page.Book{Tables: d.Store}, Shelf: &shelf.Shelf{Tables: d.Store}, Tables: d.Store,
		Health: func() api.Health { return api.Health{Version: Version(), PID: os.Getpid(), Data: d.Folder} },
	}
	options.Messages, options.Channels = &post.Book{Tables: d.Store}, &channels.Book{Tables: d.Store}
	options.Mask = func(household, user, text string) string {
		clean, _, _ := d.known.of(household, user).Text(text)
		return clean
	}
	if settings, err := s.Settings(); err == nil { // mistakes in the settings do not hide the data
		options.Accounts = limited{d, settings.Limits.Accounts}
		options.Currency = func() string { return s.currencyOf(settings) }
	}
	v.Client = client.Handler(server.New(options))
	return v, nil
}

// Close closes the store.
func (v *View) Close() error {
	v.feed.Close()
	return v.data.Close()
}

// limited tells accounts with the limits of the settings: a store that is only read has none.
type limited struct {
	store  store.Accounts
	limits store.Limits
}

// Accounts implements server.Accounts.
func (l limited) Accounts(ctx context.Context, household, user string, at time.Time) ([]rein.Account, error) {
	all, err := l.store.Accounts(ctx, household, user, at)
	for i := range all {
		all[i].Most = l.limits.User
		if all[i].User == "" {
			all[i].Most = l.limits.Household
		}
	}
	return all, err
}
