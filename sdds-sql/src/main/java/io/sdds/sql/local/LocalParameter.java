package io.sdds.sql.local;

import org.apache.calcite.rel.type.RelDataType;

/**
 * A parameter of a statement.
 *
 * @param index from 0 on, in the statement as it was given
 */
record LocalParameter(int index, RelDataType type) {}
