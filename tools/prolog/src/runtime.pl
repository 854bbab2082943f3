
% The part of the program that no rulesheet changes: it answers one command a line, and plays
% random games against the clock. Relations are r_*, facts of the state f_* (or f/1), so the names
% below are free. The translation adds three predicates that forget stale tables, and do nothing
% where there are none: state_changed, moves_given (before next is asked), moves_taken_back.

:- dynamic does/2.
:- use_module(library(time)).
:- use_module(library(ordsets)).

% --- commands: one term a line in; lines out, the last one `ok`, `timeout` or `error <why>` ---

main :-
    set_stream(user_input, encoding(utf8)),
    set_stream(user_output, encoding(utf8)),
    set_stream(user_output, buffer(full)),
    answer_commands([]),
    halt.

answer_commands(State0) :-
    catch(read_term(user_input, Command, []), Error, Command = unreadable(Error)),
    (   Command == end_of_file
    ->  true
    ;   reply(Command, State0, State),
        flush_output(user_output),
        answer_commands(State)
    ).

reply(unreadable(Error), State, State) :-
    report(Error).
reply(within(Seconds, Command), State0, State) :-
    catch(
        (   call_with_time_limit(Seconds,
                with_output_to(string(Lines), answer(Command, State0, Reached)))
        ->  Outcome = answered
        ;   Outcome = raised(no_answer_to(Command))
        ),
        Error,
        Outcome = raised(Error)),
    (   Outcome = raised(Why)
    ->  recover(State),
        report(Why)
    ;   State = Reached,
        write(Lines),
        writeln(ok)
    ).

report(time_limit_exceeded) :- !,
    writeln(timeout).
report(error(Formal, _)) :- !,
    report(Formal).
report(Error) :-
    format("error ~W~n", [Error, [quoted(true), max_depth(12)]]).

% After an error anything may be asserted still: start again from the empty state.
recover([]) :-
    retractall(does(_, _)),
    forall(( predicate_property(user:Fact, dynamic), functor(Fact, Name, _), is_fact(Name) ),
           retractall(Fact)),
    abolish_all_tables.

is_fact(f).
is_fact(Name) :- sub_atom(Name, 0, 2, _, f_).

answer(roles, State, State) :-
    forall(r_role(Role), line(role, [Role])).
answer(init, State, State) :-
    initial(Init),
    forall(member(Fact, Init), fact_line(Fact)).
answer(state(Facts), State0, State) :-
    sort(Facts, State),
    change_state(State0, State),
    (   r_terminal -> writeln(terminal) ; true ),
    forall(distinct_answers(Role-Move, r_legal(Role, Move)), line(legal, [Role, Move])),
    forall(distinct_answers(Role-Value, r_goal(Role, Value)), line(goal, [Role, Value])).
answer(next(Facts, Does), State0, State) :-
    sort(Facts, State),
    change_state(State0, State),
    next_state(Does, Next),
    moves_taken_back,
    forall(member(Fact, Next), fact_line(Fact)).
answer(random_games(Seconds, Seed), State0, []) :-
    change_state(State0, []),
    random_games(Seconds, Seed).

distinct_answers(Pair, Goal) :-
    findall(Pair, Goal, All),
    sort(All, Answers),
    member(Pair, Answers).

% --- states ---

initial(Init) :-
    findall(Fact, r_init(Fact), Facts),
    sort(Facts, Init).

% Only the difference is touched: most facts stay, and each change of a predicate costs indexes.
change_state(State, State) :- !.
change_state(Old, New) :-
    ord_subtract(Old, New, Gone),
    ord_subtract(New, Old, Come),
    retract_all(Gone),
    assert_all(Come),
    state_changed.

retract_all([]).
retract_all([Fact|Facts]) :-
    retract(Fact), !,
    retract_all(Facts).

assert_all([]).
assert_all([Fact|Facts]) :-
    assertz(Fact),
    assert_all(Facts).

% The caller then changes the state or calls moves_taken_back.
next_state(Does, Next) :-
    assert_all(Does),
    moves_given,
    findall(Fact, r_next(Fact), Facts),
    retractall(does(_, _)),
    sort(Facts, Next).

% --- random games ---

random_games(Seconds, Seed) :-
    set_random(seed(Seed)),
    findall(Role, r_role(Role), Roles),
    findall(0, member(_, Roles), Zeros),
    initial(Init),
    nb_setval(totals, totals(0, 0, 0, Zeros)),
    statistics(cputime, Start),
    Deadline is Start + Seconds,
    repeat,
    change_state([], Init),
    play(Init, 0, Roles, Deadline, Outcome),
    record(Outcome),
    Outcome = out_of_time(_),
    !,
    statistics(cputime, End),
    Used is End - Start,
    nb_getval(totals, totals(States, Games, Finished, Goals)),
    format("speed ~w ~w ~w ~w", [Used, States, Games, Finished]),
    forall(member(Goal, Goals), format(" ~w", [Goal])),
    nl.

record(over(Steps, Goals)) :-
    nb_getval(totals, totals(S0, G0, F0, Sums0)),
    S is S0 + Steps,
    G is G0 + 1,
    F is F0 + Steps,
    add_all(Sums0, Goals, Sums),
    nb_setval(totals, totals(S, G, F, Sums)).
record(out_of_time(Steps)) :-
    nb_getval(totals, totals(S0, G, F, Sums)),
    S is S0 + Steps,
    nb_setval(totals, totals(S, G, F, Sums)).

add_all([], [], []).
add_all([X|Xs], [Y|Ys], [Z|Zs]) :-
    Z is X + Y,
    add_all(Xs, Ys, Zs).

play(State, Steps, Roles, Deadline, Outcome) :-
    (   statistics(cputime, Now), Now >= Deadline
    ->  Outcome = out_of_time(Steps),
        change_state(State, [])
    ;   r_terminal
    ->  goals(Roles, Goals),
        Outcome = over(Steps, Goals),
        change_state(State, [])
    ;   random_moves(Roles, Does),
        next_state(Does, Next),
        (   State == Next
        ->  moves_taken_back
        ;   change_state(State, Next)
        ),
        Steps1 is Steps + 1,
        play(Next, Steps1, Roles, Deadline, Outcome)
    ).

% A role without a goal gets 0, one with several the first that is found.
goals([], []).
goals([Role|Roles], [Goal|Goals]) :-
    (   r_goal(Role, Value), atom_number(Value, Goal) -> true ; Goal = 0 ),
    goals(Roles, Goals).

random_moves([], []).
random_moves([Role|Roles], [does(Role, Move)|Does]) :-
    findall(M, r_legal(Role, M), Moves),
    sort(Moves, Distinct),
    (   Distinct = [_|_] -> true ; throw(no_legal_move_for(Role)) ),
    Choice =.. [moves|Distinct],
    functor(Choice, _, Count),
    Index is random(Count) + 1,
    arg(Index, Choice, Move),
    random_moves(Roles, Does).

% --- terms as GDL text ---

line(Kind, Terms) :-
    write(Kind),
    forall(member(Term, Terms), ( write('\t'), write_gdl(Term) )),
    nl.

fact_line(Fact) :-
    write('fact\t'),
    (   Fact = f(Whole)
    ->  write_gdl(Whole)
    ;   Fact =.. [Prefixed|Args],
        sub_atom(Prefixed, 2, _, 0, Name),
        write_application(Args, Name)
    ),
    nl.

write_gdl(Term) :-
    (   atom(Term)
    ->  write(Term)
    ;   compound(Term)
    ->  Term =.. [Name|Args],
        write_application(Args, Name)
    ;   throw(unbound_variable_in_an_answer)
    ).

write_application([], Name) :- !,
    write(Name).
write_application(Args, Name) :-
    write('('),
    write(Name),
    forall(member(Arg, Args), ( write(' '), write_gdl(Arg) )),
    write(')').
