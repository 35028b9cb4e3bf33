package io.sdds.testkit.sim;

import java.util.List;

/** Seeds that once found something: docs/bugs-found.md tells what. */
final class KeptSeeds {
    /** Each of its own severity. */
    static final List<Long> ANY = List.of(3L, 6L, 7L, 64L, 190L, 276L, 285L, 86531295818L);

    private KeptSeeds() {}
}
