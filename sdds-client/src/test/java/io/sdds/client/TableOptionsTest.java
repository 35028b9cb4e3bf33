package io.sdds.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sdds.core.model.Shipping;
import io.sdds.core.model.SplitControl;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.Splitting;
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
}
