package io.sdds.brick.query;

import static io.sdds.brick.query.Lane.NULL;

/** IN: looks each value up in the table of the constants. */
final class InList extends Kernel {
    private static final int COST = 20;

    private final Lane a;
    private final ConstantTable constants;
    private final Scratch scratch;

    InList(Lane a, ConstantTable constants, Scratch scratch, Lane out) {
        super(out);
        this.a = a;
        this.constants = constants;
        this.scratch = scratch;
    }

    @Override
    void run(int rows) {
        boolean isText = readsText();
        out.statesOf(a, rows);
        for (int i = 0; i < rows; i++) {
            if (out.has(i)) {
                boolean found = constants.contains(a, i);
                if (isText) {
                    scratch.read(a.lengths[i]);
                }
                out.values[i] = found ? 1 : 0;
                if (!found && constants.hasNull()) {
                    out.state(i, NULL, rows);
                }
            }
        }
    }

    @Override
    int cost() {
        return COST;
    }

    @Override
    long bytes() {
        return constants.bytes();
    }

    @Override
    boolean readsText() {
        return Lane.isText(a.type);
    }
}
