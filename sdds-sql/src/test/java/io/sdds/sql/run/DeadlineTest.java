package io.sdds.sql.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.sql.error.SqlErrors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    @Test
    void aPlanEndsAfterHalfAMinuteAlthoughItsStatementHasNoTimeout() {
        Deadline deadline = Deadline.ofBatch(new AtomicBoolean(), 0);
        long begun = System.nanoTime();
        assertThatCode(() -> deadline.checkPlan(begun, begun + TimeUnit.SECONDS.toNanos(30)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> deadline.checkPlan(begun, begun + TimeUnit.SECONDS.toNanos(31)))
                .hasMessage("the statement is too large: it has no plan after 30 s")
                .extracting(e -> SqlErrors.translated(e).getSQLState())
                .isEqualTo("54000");
    }

    @Test
    void whatBelongsToAStatementEndsWithIt() {
        AtomicBoolean cancelled = new AtomicBoolean();
        Deadline ofStatement = Deadline.ofBatch(cancelled, 0);
        Deadline ofPart = ofStatement.during(() -> Deadline.ofBatch(new AtomicBoolean(), 100));
        assertThat(ofPart).isSameAs(ofStatement);
        assertThatCode(Deadline.current()::check).doesNotThrowAnyException();
    }
}
