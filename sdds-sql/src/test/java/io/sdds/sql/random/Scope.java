package io.sdds.sql.random;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What an expression can name.
 *
 * @param names columns and other expressions of this level
 * @param keys columns that tell each row from all others; empty if there are none
 * @param outer what surrounds a subquery; null for a whole statement
 */
record Scope(List<Name> names, List<Name> keys, @Nullable Scope outer) {
    static final Scope NONE = new Scope(List.of(), List.of(), null);

    /**
     * An expression that others may contain.
     *
     * @param isPlain whether it means the same in a subquery
     */
    record Name(SqlType type, Part.Node text, boolean isPlain) {
        static Name plain(SqlType type, String text) {
            return new Name(type, Part.node(type, text), true);
        }
    }

    /** An expression of a type; null if there is none. */
    @Nullable
    Name draw(SqlType type, SplittableRandom random) {
        List<Name> own = names.stream().filter(name -> name.type() == type).toList();
        if (outer != null && (own.isEmpty() || random.nextInt(4) == 0)) {
            Name of = outer.onlyPlain().draw(type, random);
            if (of != null) {
                return of;
            }
        }
        return own.isEmpty() ? null : SqlType.drawn(own, random);
    }

    private Scope onlyPlain() {
        return new Scope(names.stream().filter(Name::isPlain).toList(), List.of(), outer);
    }

    /** Types that this level has names of, each as often as there are names. */
    List<SqlType> types() {
        return names.stream().map(Name::type).toList();
    }

    /** The names of this level alone: an aggregate of names of the outer query would be one of the outer query. */
    Scope own() {
        return new Scope(names, keys, null);
    }

    Scope with(List<Name> more) {
        List<Name> all = new ArrayList<>(names);
        all.addAll(more);
        return new Scope(List.copyOf(all), keys, outer);
    }

    /** Both sides of a join. */
    Scope and(Scope other) {
        List<Name> all = new ArrayList<>();
        if (!keys.isEmpty() && !other.keys.isEmpty()) {
            all.addAll(keys);
            all.addAll(other.keys);
        }
        return new Scope(with(other.names).names, List.copyOf(all), outer);
    }
}
