package io.sdds.sql.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private static final long HEAP_BYTES = MemoryBudget.BYTES_MIN / 4;

    private final MemoryBudget budget = new MemoryBudget(MemoryBudget.BYTES_MIN);

    @Test
    void whatAStatementGivesUpIsThereForOthers() {
        MemoryBudget.Share share = budget.share();
        assertThat(share.take(HEAP_BYTES / 2)).isTrue();
        long before = share.taken();
        assertThat(share.take(HEAP_BYTES / 2)).isTrue();
        assertThat(share.take(1)).isFalse();
        share.releaseTo(before);
        assertThat(budget.share().take(HEAP_BYTES / 2)).isTrue();
        assertThat(budget.share().take(1)).isFalse();
        share.releaseTo(0);
        assertThat(budget.share().take(HEAP_BYTES / 2)).isTrue();
    }
}
