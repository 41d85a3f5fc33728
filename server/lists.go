package server

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"rein"
	"rein/api"
	"rein/household/lists"
	"rein/server/wire"
)

func (s *server) listOperations() []operation {
	const where = ". A list is named by its ID or its name; `groceries` is the household's list of groceries, whatever its name"
	return []operation{
		{
			method: "GET", path: "/v1/lists", name: "listLists", tag: "lists", summary: "List the lists of your household, and those that are yours alone",
			needs: rein.ScopeRead, answers: ok(api.Lists{}), do: s.withLists(s.listLists),
		},
		{
			method: "POST", path: "/v1/lists", name: "createList", tag: "lists", summary: "Create a list",
			needs: rein.ScopeAct, once: true, body: api.NewList{}, answers: []reply{{status: http.StatusCreated, value: api.List{}}}, do: s.withLists(s.createList),
		},
		{
			method: "GET", path: "/v1/lists/{list}", name: "showList", tag: "lists", summary: "Get a list with its items" + where,
			needs: rein.ScopeRead, answers: ok(api.List{}), do: s.withLists(s.showList),
		},
		{
			method: "PATCH", path: "/v1/lists/{list}", name: "changeList", tag: "lists", summary: "Give a list another name",
			needs: rein.ScopeAct, body: api.ChangedList{}, answers: ok(api.List{}), do: s.withLists(s.changeList),
		},
		{
			method: "DELETE", path: "/v1/lists/{list}", name: "deleteList", tag: "lists", summary: "Delete a list with all its items. You can delete what you made; an owner of the household can delete every shared list",
			needs: rein.ScopeAct, answers: []reply{{status: http.StatusNoContent}}, do: s.withLists(s.deleteList),
		},
		{
			method: "POST", path: "/v1/lists/{list}/items", name: "addListItems", tag: "lists", summary: "Add items to a list. The list of groceries is made if it does not exist yet",
			needs: rein.ScopeAct, once: true, body: api.NewListItems{}, answers: ok(api.List{}), do: s.withLists(s.addListItems),
		},
		{
			method: "DELETE", path: "/v1/lists/{list}/items", name: "removeDoneItems", tag: "lists", summary: "Remove all items that are done from a list",
			needs: rein.ScopeAct, answers: ok(api.List{}), do: s.withLists(s.removeDoneItems),
		},
		{
			method: "PATCH", path: "/v1/lists/{list}/items/{item}", name: "changeListItem", tag: "lists", summary: "Change an item, say that it is done or not, or move it. An item is named by its number, its ID or its text",
			needs: rein.ScopeAct, body: api.ChangedListItem{}, answers: ok(api.List{}), do: s.withLists(s.changeListItem),
		},
		{
			method: "DELETE", path: "/v1/lists/{list}/items/{item}", name: "removeListItem", tag: "lists", summary: "Remove an item from a list",
			needs: rein.ScopeAct, answers: ok(api.List{}), do: s.withLists(s.removeListItem),
		},
	}
}

func (s *server) withLists(do handler) handler {
	if s.Lists != nil {
		return do
	}
	return func(http.ResponseWriter, *http.Request, rein.Identity) error {
		return rein.Errorf(rein.CodeUnavailable, "this process keeps no lists: send the request to the process that owns the data")
	}
}

func whoseLists(who rein.Identity) lists.Who {
	return lists.Who{Household: who.Household, User: who.User}
}

func (s *server) listLists(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	all, err := s.Lists.All(r.Context(), whoseLists(who))
	if err != nil {
		return err
	}
	found := each(all, apiList)
	for i := range found {
		found[i].Items = nil
	}
	return answer(w, http.StatusOK, api.Lists{Lists: found})
}

func (s *server) showList(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	l, err := s.Lists.Find(r.Context(), whoseLists(who), r.PathValue("list"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, apiList(l))
}

// A listWrite changes a list for a user.
type listWrite func(ctx context.Context, tx rein.Tx, who lists.Who, at time.Time) (lists.List, error)

// writeList changes a list, and tells those who see it.
func (s *server) writeList(r *http.Request, who rein.Identity, write listWrite) (lists.List, error) {
	if !who.May(rein.ScopeRead) { // what is answered is what a list has
		return lists.List{}, lacks(who, rein.ScopeRead)
	}
	ctx, cancel := lasting(r)
	defer cancel()
	l, err := s.Lists.Write(ctx, func(ctx context.Context, tx rein.Tx, at time.Time) (lists.List, error) {
		return write(ctx, tx, whoseLists(who), at)
	})
	if err == nil {
		s.Live.Household(who.Household, l.Owner, api.TopicLists)
	}
	return l, err
}

// answerList changes a list, and answers with it.
func (s *server) answerList(w http.ResponseWriter, r *http.Request, who rein.Identity, status int, write listWrite) error {
	l, err := s.writeList(r, who, write)
	if err != nil {
		return err
	}
	return answer(w, status, apiList(l))
}

// requestOrigin is the origin of what a request writes: the same one for the same idempotency key.
func requestOrigin(r *http.Request, key string) (lists.Origin, error) {
	header, err := keyOf(r)
	switch {
	case err != nil:
		return lists.Origin{}, err
	case len(key) > maxKey:
		return lists.Origin{}, rein.Errorf(rein.CodeInvalid, "key has %d bytes; at most %d are read", len(key), maxKey)
	}
	if key = cmp.Or(header, key); key == "" {
		return lists.Origin{Step: "request:" + string(api.NewRunID(time.Now()))}, nil
	}
	return lists.Origin{Step: "key:" + key}, nil
}

func (s *server) createList(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewList
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	by, err := requestOrigin(r, body.Key)
	if err != nil {
		return err
	}
	return s.answerList(w, r, who, http.StatusCreated, func(ctx context.Context, tx rein.Tx, of lists.Who, at time.Time) (lists.List, error) {
		return lists.Create(ctx, tx, of, by, lists.New{Name: body.Name, Private: body.Private}, at)
	})
}

func (s *server) changeList(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.ChangedList
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	return s.answerList(w, r, who, http.StatusOK, func(ctx context.Context, tx rein.Tx, of lists.Who, at time.Time) (lists.List, error) {
		return lists.Rename(ctx, tx, of, r.PathValue("list"), body.Name, at)
	})
}

func (s *server) deleteList(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	_, err := s.writeList(r, who, func(ctx context.Context, tx rein.Tx, of lists.Who, _ time.Time) (lists.List, error) {
		return lists.Delete(ctx, tx, of, r.PathValue("list"), who.Role == rein.Owner)
	})
	if err == nil {
		w.WriteHeader(http.StatusNoContent)
	}
	return err
}

func (s *server) addListItems(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewListItems
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	by, err := requestOrigin(r, body.Key)
	if err != nil {
		return err
	}
	var all []lists.Addition
	for _, it := range body.Items {
		amount, err := lists.AmountOf(it.Amount)
		if err != nil {
			return err
		}
		all = append(all, lists.Addition{Text: it.Text, Amount: amount, Unit: it.Unit, Category: it.Category})
	}
	return s.answerList(w, r, who, http.StatusOK, func(ctx context.Context, tx rein.Tx, of lists.Who, at time.Time) (lists.List, error) {
		name := r.PathValue("list")
		_, err := lists.Find(ctx, tx, of, name)
		if rein.CodeOf(err) == rein.CodeNotFound && lists.IsGroceries(name) {
			_, err = lists.OpenGroceries(ctx, tx, of, by, "Groceries", at)
		}
		if err != nil {
			return lists.List{}, err
		}
		return lists.Add(ctx, tx, of, by, name, all, at)
	})
}

func (s *server) removeDoneItems(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	return s.answerList(w, r, who, http.StatusOK, func(ctx context.Context, tx rein.Tx, of lists.Who, at time.Time) (lists.List, error) {
		return lists.RemoveDone(ctx, tx, of, r.PathValue("list"), at)
	})
}

func (s *server) changeListItem(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.ChangedListItem
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	change := lists.Change{Text: body.Text, Unit: body.Unit, Category: body.Category, Done: body.Done, After: body.After, Version: body.Version}
	if body.Amount != nil {
		amount, err := lists.AmountOf(*body.Amount)
		if err != nil {
			return err
		}
		change.Amount = &amount
	}
	return s.answerList(w, r, who, http.StatusOK, func(ctx context.Context, tx rein.Tx, of lists.Who, at time.Time) (lists.List, error) {
		return lists.Edit(ctx, tx, of, r.PathValue("list"), r.PathValue("item"), change, at)
	})
}

func (s *server) removeListItem(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	return s.answerList(w, r, who, http.StatusOK, func(ctx context.Context, tx rein.Tx, of lists.Who, at time.Time) (lists.List, error) {
		return lists.Remove(ctx, tx, of, r.PathValue("list"), []string{r.PathValue("item")}, at)
	})
}

func apiList(l lists.List) api.List {
	return api.List{
		ID: l.ID, Name: l.Name, Groceries: l.Kind == lists.Groceries, Private: l.IsPrivate(), Maker: l.Maker, Left: l.Left(), Total: len(l.Items),
		Version: l.Version, Created: l.Created, Changed: l.Changed, Items: each(l.Items, apiListItem),
	}
}

func apiListItem(it lists.Item) api.ListItem {
	return api.ListItem{
		ID: it.ID, Number: it.Number, Text: it.Text, Amount: it.Amount.Float(), Unit: it.Unit, Category: it.Category,
		By: it.By, Added: it.Added, DoneBy: it.DoneBy, Done: it.Done, Version: it.Version,
	}
}
