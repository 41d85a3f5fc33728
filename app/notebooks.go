package app

import (
	"cmp"
	"context"

	"rein"
	"rein/household/workspace"
	"rein/server"
	"rein/vault/stage"
)

// notebooks gives people the notes of workspaces, under the rules that a new run of theirs would have.
type notebooks struct{ *places }

var _ server.Vaults = notebooks{}

// Notes opens the notes of a workspace to read.
func (n notebooks) Notes(ctx context.Context, who rein.Identity, name string) (server.Notes, func(), error) {
	o, release, _, err := n.turn(ctx, who, name)
	if err != nil {
		return nil, nil, err
	}
	if err := o.indexed(ctx); err != nil {
		release()
		return nil, nil, err
	}
	return o.library, release, nil
}

// Desk opens the place of changes to the notes of a workspace.
func (n notebooks) Desk(ctx context.Context, who rein.Identity, name string) (stage.Person, func(), error) {
	o, release, w, err := n.turn(ctx, who, name)
	if err != nil {
		return stage.Person{}, nil, err
	}
	task := &rein.Task{Household: who.Household, User: who.User, Workspace: w.Name}
	return stage.Person{Desk: o.library.desk, Household: who.Household, User: who.User, Reach: n.reach(task), Deny: n.rules(task).Deny}, release, nil
}

// turn opens the vault of a workspace that somebody may name. Its other folders stay closed.
func (n notebooks) turn(ctx context.Context, who rein.Identity, name string) (*opened, func(), rein.Workspace, error) {
	w, err := n.find(ctx, name)
	if err == nil || rein.CodeOf(err) == rein.CodeNotFound {
		err = n.MayName(ctx, who, cmp.Or(name, workspace.Default))
	}
	switch {
	case err != nil:
		return nil, nil, w, err
	case w.Household != who.Household || w.Vault == "":
		return nil, nil, w, rein.Errorf(rein.CodeUnavailable, "workspace %q has no notes: name a folder of them with the setting vault", w.Name)
	}
	tight, _ := n.folder(w)
	rules := n.rulesOf(w, tight)
	rules.Root = ""
	o, release, err := n.set.use(context.WithoutCancel(ctx), rules)
	return o, release, w, err
}

// Staged lists the sessions of somebody that have something staged.
func (n notebooks) Staged(ctx context.Context, who rein.Identity) ([]string, error) {
	return stage.Sessions(ctx, n.store, who.Household, who.User)
}

// WorkspaceOf names the workspace of a session.
func (n notebooks) WorkspaceOf(ctx context.Context, who rein.Identity, session string) (string, error) {
	name, _, err := n.ofSession(ctx, rein.Task{Household: who.Household, User: who.User, Session: session})
	return cmp.Or(name, workspace.Default), err
}
