package io.sdds.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sdds.core.model.Parity;
import io.sdds.core.model.Shipping;
import io.sdds.core.model.SplitControl;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.Splitting;
import io.sdds.core.model.TableKind;
import io.sdds.core.row.Schema;
import org.junit.jupiter.api.Test;

class TableOptionsTest {
    @Test
    void eachVariantChangesItselfAlone() {
        TableOptions options = TableOptions.capacity(10)
                .withSplitControl(SplitControl.STATIC)
                .withSplitting(Splitting.ATOMIC)
                .withShipping(Shipping.INDIVIDUAL)
                .withSliceBytes(1)
                .withSplitsAtOnce(2)
                .withCapacityBytes(20);
        assertThat(options)
                .isEqualTo(TableOptions.builder()
                        .capacityRecords(10)
                        .capacityBytes(20)
                        .split(new SplitPolicy(SplitControl.STATIC, Splitting.ATOMIC, Shipping.INDIVIDUAL, 1, 2))
                        .build());
        assertThat(TableOptions.capacity(10).split()).isEqualTo(SplitPolicy.DEFAULT);
    }

    @Test
    void aHashTableWithParityBeginsWithFullGroups() {
        TableOptions options = TableOptions.parity(4, 2);
        assertThat(options.parity()).isEqualTo(new Parity(4, 2));
        assertThat(options.partitions()).isEqualTo(1);
        assertThat(options.create("t", TableKind.HASH).spec().firstPartitions()).isEqualTo(4);
        assertThat(options.withPartitions(6).create("t", TableKind.HASH).spec().firstPartitions())
                .isEqualTo(8);
        assertThat(options.create("t", TableKind.RANGE).spec().firstPartitions())
                .isEqualTo(1);
        assertThat(options.create("t", TableKind.HASH).spec().parity()).isEqualTo(options.parity());
        assertThat(TableOptions.defaults().parity()).isEqualTo(Parity.NONE);
        assertThat(options).isEqualTo(options.toBuilder().build()).isNotEqualTo(TableOptions.defaults());
        assertThat(options.withParity(0, 0)).isEqualTo(TableOptions.defaults());
    }

    @Test
    void aTableHasParityInItsRangeOrCopies() {
        for (int[] wrong : new int[][] {{3, 1}, {1, 1}, {32, 1}, {4, 0}, {4, 5}, {0, 1}}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> TableOptions.parity(wrong[0], wrong[1]))
                    .withMessageStartingWith("parity " + wrong[0] + "," + wrong[1] + ": M,K is expected");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableOptions.replicas(2).withParity(4, 2))
                .withMessage("parity 4,2 with 2 replicas, at least 1: a table has parity or copies, not both");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableOptions.parity(4, 2).withReplicas(2));
    }

    @Test
    void aSliceOfNothingOrAboveAFrameIsRefused() {
        TableOptions options = TableOptions.defaults();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withSliceBytes(0))
                .withMessage("a slice of 0 bytes: 1 to 262144 are allowed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withSliceBytes(SplitPolicy.SLICE_BYTES_MAX + 1))
                .withMessage("a slice of 262145 bytes: 1 to 262144 are allowed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withSplitsAtOnce(0))
                .withMessage("0 splits at once: 1 to 16 are allowed");
        assertThat(options.withSliceBytes(SplitPolicy.SLICE_BYTES_MAX).split().sliceBytes())
                .isEqualTo(256 << 10);
    }

    @Test
    void aSchemaIsGivenAsText() {
        TableOptions options = TableOptions.defaults().withSchema("id bigint key, name varchar not null");
        assertThat(options.schema().version()).isEqualTo(1);
        assertThat(options.schema().columns()).hasSize(2);
        assertThat(options.create("t", TableKind.HASH).spec().schema()).isEqualTo(options.schema());
        assertThat(options).isEqualTo(options.toBuilder().build()).isNotEqualTo(TableOptions.defaults());
        assertThat(options.toString()).endsWith("; schema id bigint key, name varchar not null");
        assertThat(TableOptions.defaults().create("t", TableKind.HASH).spec().schema())
                .isEqualTo(Schema.NONE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableOptions.defaults().withSchema("id bigint"))
                .withMessageStartingWith("no column is a key");
    }

    @Test
    void aTableThatIsCreatedAsAnotherBeginsWithoutItsDroppedColumns() {
        Schema schema = TableOptions.defaults()
                .withSchema("id bigint key, old date")
                .schema()
                .drop("old");
        TableOptions options = TableOptions.builder().schema(schema).build();
        assertThat(options.create("t", TableKind.HASH).spec().schema())
                .isEqualTo(TableOptions.defaults().withSchema("id bigint key").schema());
    }
}
