package io.sdds.sql.run;

import org.apache.calcite.avatica.Meta;

/**
 * A prepared SELECT that is a chain of look-ups by key. Its parameters go to the requests, and its row to the result,
 * without the engine. Statements share it.
 *
 * @param signature what the engine says about parameters and result
 */
public record KeyRead(KeyChain chain, Meta.Signature signature) {}
