package io.sdds.client.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.QueryException;
import io.sdds.core.query.Int128;
import io.sdds.core.query.Output.Aggregate;
import io.sdds.core.query.Output.AggregateFunction;
import io.sdds.core.query.Output.Aggregation;
import io.sdds.core.row.ValueType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupMergeTest {
    private static final BigInteger LARGEST = BigInteger.TEN.pow(38).subtract(BigInteger.ONE);

    private final GroupMerge merge = new GroupMerge(
            new Aggregate(List.of(), List.of(new Aggregation(AggregateFunction.SUM, 0))),
            List.of(ValueType.decimal(38, 0)),
            new MemoryBound("groups", MemoryBound.BYTES_MAX));

    private void add(BigInteger sum) {
        merge.add(new ArrayList<>(Arrays.asList(Int128.write(sum))));
    }

    @Test
    void aSumOfMoreThan38DigitsIsAnErrorAtTheEnd() {
        add(LARGEST);
        assertThat(merge.tuples().get(0)).containsExactly(Int128.write(LARGEST));
        add(BigInteger.ONE);
        assertThatThrownBy(merge::tuples)
                .isInstanceOf(QueryException.class)
                .hasMessage("a sum: a number is out of range");
        add(BigInteger.TWO.negate());
        assertThat(merge.tuples().get(0)).containsExactly(Int128.write(LARGEST.subtract(BigInteger.ONE)));
    }

    @Test
    void aPartOfMoreThan127BitsIsAnError() {
        add(LARGEST);
        assertThatThrownBy(() -> add(LARGEST)).isInstanceOf(QueryException.class);
    }
}
