package io.sdds.core.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaChangeTest {
    private static final Column ID = column("id", ValueType.BIGINT, true, true);
    private static final Column NAME = column("name", ValueType.VARCHAR, false, true);
    private static final Column BORN = column("born", ValueType.DATE, false, false);
    private static final Column CITY = column("city", ValueType.VARCHAR, false, false);
    private static final Schema SCHEMA = new Schema(1, List.of(ID, NAME, BORN));

    private static Column column(String name, ValueType type, boolean key, boolean notNull) {
        return new Column(name, type, key, notNull, false, new byte[0], false);
    }

    private static Column dropped(Column column) {
        return new Column(column.name(), column.type(), false, false, false, new byte[0], true);
    }

    private static Schema second(Column... columns) {
        return new Schema(2, List.of(columns));
    }

    private static Column large(int bytes) {
        return new Column("large", ValueType.VARBINARY, false, true, true, new byte[bytes], false);
    }

    @Test
    void columnsAreAddedBehindTheOthersAndDroppedOnesKeepTheirPlaces() {
        assertThat(SchemaChange.fault(SCHEMA, SCHEMA.add(CITY))).isNull();
        assertThat(SchemaChange.fault(SCHEMA, SCHEMA.drop("name"))).isNull();
        assertThat(SchemaChange.fault(SCHEMA, second(ID, dropped(NAME), BORN, large(3))))
                .isNull();
    }

    @Test
    void aChangeFollowsTheVersionThatItWasDecidedOn() {
        assertThat(SchemaChange.fault(SCHEMA, SCHEMA.add(CITY).drop("city")))
                .isEqualTo("the schema has version 1 by now; look at it and try again");
        assertThat(SchemaChange.fault(SCHEMA, SCHEMA))
                .isEqualTo("the schema has version 1 by now; look at it and try again");
        assertThat(SchemaChange.fault(Schema.NONE, SCHEMA))
                .isEqualTo("the table was created without a schema, and gets none later");
    }

    @Test
    void refusesAColumnThatTheRowsHaveNoValueOf() {
        Column must = column("must", ValueType.DATE, false, true);
        assertThat(SchemaChange.fault(SCHEMA, second(ID, NAME, BORN, must)))
                .isEqualTo("column 'must' is not null and has no default, but the rows of the table have no value"
                        + " of it");
        assertThat(SchemaChange.fault(SCHEMA, second(ID, NAME, BORN, column("k", ValueType.DATE, true, true))))
                .isEqualTo("column 'k' cannot be part of the key: the key of a table stays what it is");
        assertThat(SchemaChange.fault(SCHEMA, second(ID, NAME, BORN, dropped(CITY))))
                .isEqualTo("column 'city' is dropped from the start");
        assertThat(SchemaChange.fault(SCHEMA, second(ID, NAME, BORN, column("BORN", ValueType.DATE, false, false))))
                .startsWith("column 'BORN' is there twice");
    }

    @Test
    void refusesToChangeOrDropWhatRowsStandOn() {
        assertThat(SchemaChange.fault(SCHEMA, second(dropped(ID), NAME, BORN)))
                .isEqualTo("column 'id' is part of the key, and cannot be dropped");
        assertThat(SchemaChange.fault(SCHEMA, second(ID, NAME)))
                .isEqualTo("the schema has 3 columns with those that were dropped, and keeps their places");
        String fault = "column 'name' can be dropped, and cannot be changed";
        assertThat(SchemaChange.fault(SCHEMA, second(ID, column("name", ValueType.VARBINARY, false, true), BORN)))
                .isEqualTo(fault);
        assertThat(SchemaChange.fault(SCHEMA, second(ID, column("title", ValueType.VARCHAR, false, true), BORN)))
                .isEqualTo(fault);
        assertThat(SchemaChange.fault(SCHEMA, second(ID, BORN, NAME))).isEqualTo(fault);
        Schema without = SCHEMA.drop("name");
        assertThat(SchemaChange.fault(without, new Schema(3, SCHEMA.columns()))).isEqualTo(fault);
        assertThat(SchemaChange.fault(SCHEMA, second(ID, NAME, BORN))).isEqualTo("no column is added or dropped");
    }

    @Test
    void boundsTheBytes() {
        List<Column> many = new ArrayList<>(List.of(ID));
        for (int k = 1; k < 350; k++) {
            many.add(column("c" + k, ValueType.INTEGER, false, false));
        }
        assertThat(SchemaChange.creationFault(new Schema(1, many))).isNull();
        String fault = "and at most 15360 are allowed: shorten names or defaults";
        assertThat(SchemaChange.creationFault(new Schema(1, List.of(ID, large(SchemaChange.BYTES_MAX)))))
                .startsWith("the schema takes ")
                .endsWith(fault);
        assertThat(SchemaChange.fault(SCHEMA, second(ID, NAME, BORN, large(SchemaChange.BYTES_MAX))))
                .endsWith(fault);
    }

    @Test
    void aSchemaBeginsWithVersionOneAndWithoutDroppedColumns() {
        assertThat(SchemaChange.creationFault(SCHEMA)).isNull();
        assertThat(SchemaChange.creationFault(Schema.NONE)).isNull();
        assertThat(SchemaChange.creationFault(second(ID))).isEqualTo("a schema begins with version 1, not 2");
        assertThat(SchemaChange.creationFault(new Schema(1, List.of(ID, dropped(NAME)))))
                .isEqualTo("column 'name' is dropped from the start");
        assertThat(SchemaChange.creationFault(new Schema(1, Collections.nCopies(2, ID))))
                .isNotNull();
        assertThat(SchemaChange.creationFault(new Schema(1, List.of(NAME)))).startsWith("no column is a key");
    }
}
