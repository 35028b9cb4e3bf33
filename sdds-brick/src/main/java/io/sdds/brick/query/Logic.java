package io.sdds.brick.query;

import static io.sdds.brick.query.Lane.NULL;
import static io.sdds.brick.query.Lane.VALUE;

/** Three-valued logic. */
final class Logic {
    private Logic() {}

    /** AND, or OR with the roles of TRUE and FALSE exchanged. */
    static final class Both extends Kernel {
        private final Lane a;
        private final Lane b;

        /** The operand that decides, whatever the other is: 0 of AND, 1 of OR. */
        private final long deciding;

        Both(Lane a, Lane b, boolean isAnd, Lane out) {
            super(out);
            this.a = a;
            this.b = b;
            this.deciding = isAnd ? 0 : 1;
        }

        @Override
        void run(int rows) {
            if (a.clean && b.clean) {
                out.clean = true;
                for (int i = 0; i < rows; i++) {
                    // With 0 deciding this is a AND b, with 1 it is a OR b.
                    long differs = (a.values[i] ^ deciding) & (b.values[i] ^ deciding);
                    out.values[i] = differs ^ deciding;
                }
                return;
            }
            out.clean = false;
            for (int i = 0; i < rows; i++) {
                byte as = a.state(i);
                byte bs = b.state(i);
                boolean decided = as == VALUE && a.values[i] == deciding || bs == VALUE && b.values[i] == deciding;
                out.states[i] = decided ? VALUE : Lane.both(as, bs);
                out.values[i] = decided ? deciding : deciding ^ 1;
            }
        }
    }

    /** NOT. */
    static final class Not extends Kernel {
        private final Lane a;

        Not(Lane a, Lane out) {
            super(out);
            this.a = a;
        }

        @Override
        void run(int rows) {
            out.statesOf(a, rows);
            for (int i = 0; i < rows; i++) {
                out.values[i] = a.values[i] ^ 1;
            }
        }
    }

    /** IS_NULL. */
    static final class IsNull extends Kernel {
        private final Lane a;

        IsNull(Lane a, Lane out) {
            super(out);
            this.a = a;
        }

        @Override
        void run(int rows) {
            out.clean = a.clean;
            for (int i = 0; i < rows; i++) {
                byte state = a.state(i);
                out.values[i] = state == NULL ? 1 : 0;
                out.states[i] = state == NULL ? VALUE : state;
            }
        }
    }

    /** IS_TRUE. */
    static final class IsTrue extends Kernel {
        private final Lane a;

        IsTrue(Lane a, Lane out) {
            super(out);
            this.a = a;
        }

        @Override
        void run(int rows) {
            out.clean = a.clean;
            for (int i = 0; i < rows; i++) {
                byte state = a.state(i);
                out.values[i] = state == VALUE ? a.values[i] : 0;
                out.states[i] = state == NULL ? VALUE : state;
            }
        }
    }

    /** CASE. */
    static final class Case extends Kernel {
        private final Lane condition;
        private final Lane chosen;
        private final Lane other;

        Case(Lane condition, Lane chosen, Lane other, Lane out) {
            super(out);
            this.condition = condition;
            this.chosen = chosen;
            this.other = other;
        }

        @Override
        void run(int rows) {
            out.clean = condition.clean && chosen.clean && other.clean;
            for (int i = 0; i < rows; i++) {
                byte state = condition.state(i);
                if (state > NULL) {
                    out.states[i] = state;
                } else {
                    Lane from = state == VALUE && condition.values[i] != 0 ? chosen : other;
                    out.states[i] = from.state(i);
                    out.copy(i, from);
                }
            }
        }

        @Override
        int cost() {
            return 3;
        }
    }
}
